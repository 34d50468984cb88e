/** A stretch of terminal text in one style. */
export interface AnsiSpan {
  text: string;
  /** Space-separated classes: `a-bold`, `a-fg-1` (the 16 palette colours, themed), … */
  cls: string;
  /** `#rrggbb` of the 240 further palette colours and of true colour. */
  fg: string | null;
  bg: string | null;
}

interface Style {
  flags: Set<string>;
  fg: number | string | null;
  bg: number | string | null;
}

// CSI sequences; OSC, DCS, PM and APC strings up to BEL or ST; other two-byte escapes; lone control characters.
const TOKEN =
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /\u001b\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b(?:[ -/]*[0-~]|$)|\r(?!\n)|[\b]|[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f]/g;

const ON: Record<number, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike' };
const OFF: Record<number, string[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'], 27: ['inverse'], 29: ['strike'] };
const LEVELS = [0, 95, 135, 175, 215, 255];

function hex(r: number, g: number, b: number): string {
  return (
    '#' +
    [r, g, b]
      .map((v) =>
        Math.min(255, Math.max(0, v || 0))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
}

function paletteColour(index: number): number | string | null {
  if (!(index >= 0 && index <= 255)) return null;
  if (index < 16) return index;
  if (index >= 232) return hex(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10);
  const cube = index - 16;
  return hex(LEVELS[Math.floor(cube / 36)]!, LEVELS[Math.floor(cube / 6) % 6]!, LEVELS[cube % 6]!);
}

/** Reads `38;5;n` or `38;2;r;g;b` at `at`; answers the colour and how many codes it took. */
function extendedColour(codes: number[], at: number): { colour: number | string | null; used: number } {
  if (codes[at + 1] === 5) return { colour: paletteColour(codes[at + 2] ?? -1), used: 2 };
  if (codes[at + 1] === 2) return { colour: hex(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0), used: 4 };
  return { colour: null, used: 1 };
}

function applySgr(style: Style, parameters: string): void {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) {
      style.flags.clear();
      style.fg = style.bg = null;
    } else if (ON[code] !== undefined) style.flags.add(ON[code]);
    else if (OFF[code] !== undefined) for (const flag of OFF[code]) style.flags.delete(flag);
    else if (code === 38 || code === 48) {
      const { colour, used } = extendedColour(codes, i);
      style[code === 38 ? 'fg' : 'bg'] = colour;
      i += used;
    } else if (code === 39) style.fg = null;
    else if (code === 49) style.bg = null;
    else if (code >= 30 && code <= 37) style.fg = code - 30;
    else if (code >= 90 && code <= 97) style.fg = code - 82;
    else if (code >= 40 && code <= 47) style.bg = code - 40;
    else if (code >= 100 && code <= 107) style.bg = code - 92;
  }
}

function span(text: string, style: Style): AnsiSpan {
  const cls = [...style.flags].map((flag) => `a-${flag}`);
  if (typeof style.fg === 'number') cls.push(`a-fg-${style.fg}`);
  if (typeof style.bg === 'number') cls.push(`a-bg-${style.bg}`);
  return {
    text,
    cls: cls.join(' '),
    fg: typeof style.fg === 'string' ? style.fg : null,
    bg: typeof style.bg === 'string' ? style.bg : null,
  };
}

/** Removes what a lone carriage return overwrites: the spans' text since the last line feed. */
function clearLine(spans: AnsiSpan[]): void {
  for (let last = spans.at(-1); last !== undefined; last = spans.at(-1)) {
    const feed = last.text.lastIndexOf('\n');
    if (feed >= 0) {
      last.text = last.text.slice(0, feed + 1);
      return;
    }
    spans.pop();
  }
}

/** What a backspace takes away: the last character of the line. */
function eraseLast(spans: AnsiSpan[]): void {
  const last = spans.at(-1);
  if (last === undefined || last.text.endsWith('\n')) return;
  last.text = last.text.slice(0, -1);
  if (last.text === '') spans.pop();
}

/**
 * Terminal output as styled spans of plain text (never HTML). Colours and text styles are kept, cursor movements,
 * titles and hyperlink targets are left out, a progress line that overwrites itself shows its last state.
 */
export function parseAnsi(source: string): AnsiSpan[] {
  const style: Style = { flags: new Set(), fg: null, bg: null };
  const spans: AnsiSpan[] = [];
  const push = (text: string): void => {
    if (text === '') return;
    const next = span(text, style);
    const last = spans.at(-1);
    if (last !== undefined && last.cls === next.cls && last.fg === next.fg && last.bg === next.bg) last.text += text;
    else spans.push(next);
  };
  let at = 0;
  for (const match of source.matchAll(TOKEN)) {
    push(source.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === 'm') applySgr(style, match[1] ?? '');
    else if (match[0] === '\r' && at < source.length) clearLine(spans);
    else if (match[0] === '\b') eraseLast(spans);
    else if (match[0] === '\u0000') push('\u2400');
  }
  push(source.slice(at));
  return spans;
}

/** The text alone. */
export function stripAnsi(source: string): string {
  return parseAnsi(source)
    .map((part) => part.text)
    .join('');
}
