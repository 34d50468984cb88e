/** Width of a character in em: wide for CJK and emoji, narrow for a few letters, else the mean of a text face. */
function emWidth(code: number): number {
  if (code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xffdc) || code >= 0x1f000)) return 1.02;
  if (code === 0x20 || (code < 0x7f && "iljtfr.,:;'|!()[]".includes(String.fromCharCode(code)))) return 0.36;
  if (code >= 0x41 && code <= 0x5a) return 0.68;
  return code === 0x6d || code === 0x77 || code === 0x4d || code === 0x57 ? 0.88 : 0.57;
}

/**
 * As much of a text as fits into `width` pixels at `size` pixels, with an ellipsis when cut; empty when not even a few
 * characters fit. An estimate, for SVG text, which has no ellipsis of its own.
 */
export function fitText(text: string, width: number, size: number): string {
  let used = 0;
  let end = 0;
  const limit = width / size;
  for (const character of text) {
    const next = used + emWidth(character.codePointAt(0) ?? 0);
    if (next > limit) {
      const cut = text.slice(0, Math.max(0, end - 1)).trimEnd();
      return cut.length < 3 ? '' : `${cut}…`;
    }
    used = next;
    end += character.length;
  }
  return text;
}
