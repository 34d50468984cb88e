/** Number of lines of a text; a line feed at the end does not begin another one. */
export function lineCount(text: string): number {
  if (text === '') return 0;
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The first `count` lines, and how many follow. */
export function headLines(text: string, count: number): { text: string; rest: number } {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return { text, rest: 0 };
  }
  return { text: text.slice(0, at), rest: lineCount(text.slice(at + 1)) };
}

/** The first words of a text on one line, cut to `limit` characters at a word where there is one. */
export function firstWords(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= limit) return line;
  const space = line.lastIndexOf(' ', limit);
  return line.slice(0, space > limit / 2 ? space : limit).replace(/[\uD800-\uDBFF]$/, '') + '…';
}

/** Cuts a text into pieces of at most `size` UTF-16 units, at line ends where there is one, never inside a character. */
export function pieces(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + size);
    if (to < text.length) {
      const feed = text.lastIndexOf('\n', to - 1);
      if (feed >= from) to = feed + 1;
      else if (/[\uD800-\uDBFF]/.test(text[to - 1]!) && to - from > 1) to--;
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
