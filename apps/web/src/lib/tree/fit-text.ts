/** Width of one character in pixels. */
export type Advance = (character: string) => number;

/**
 * As much of a text as fits into `width` pixels, with an ellipsis when cut; empty when not even a few characters fit.
 * For SVG text, which has no ellipsis of its own.
 */
export function fitText(text: string, width: number, advance: Advance): string {
  const room = width - advance('…');
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += advance(character);
    if (used > width) {
      const cut = text.slice(0, end).trimEnd();
      return cut.length < 3 ? '' : `${cut}…`;
    }
    if (used <= room) end += character.length;
  }
  return text;
}

/** Width of a whole text in pixels. */
export function textWidth(text: string, advance: Advance): number {
  let width = 0;
  for (const character of text) width += advance(character);
  return width;
}

/** An `Advance` that measures each character once in the page's own font. `style` is the front of a CSS `font`: `600 12px`. */
function meter(style: string): Advance {
  const known = new Map<string, number>();
  let context: CanvasRenderingContext2D | null | undefined;
  return (character) => {
    const width = known.get(character);
    if (width !== undefined) return width;
    if (context === undefined) {
      context = document.createElement('canvas').getContext('2d');
      if (context) context.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
    }
    const measured = context?.measureText(character).width ?? 8;
    if (known.size > 20_000) known.clear();
    known.set(character, measured);
    return measured;
  };
}

/** The map's captions, and the first line of an opened run. */
export const captionAdvance = meter('12px');
export const headAdvance = meter('600 12px');
