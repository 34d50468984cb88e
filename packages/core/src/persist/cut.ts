/** Texts with more UTF-16 units than this are cut. */
export const MAX_PERSIST_CHARS = 500_000;

const NOTICE = '\n\n[Session persistence truncated large content]';

/** The beginning of a text with a notice at its end, `MAX_PERSIST_CHARS` together, or one less where a character of two units stands at the cut. */
export function cutText(text: string): string {
  const room = MAX_PERSIST_CHARS - NOTICE.length;
  return text.slice(0, isPairAt(text, room - 1) ? room - 1 : room) + NOTICE;
}

function isPairAt(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

/** Pieces between line feeds; 1 without one. */
export function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
