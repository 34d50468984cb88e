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

/** The first paragraphs of a text, at most `limit` characters; the whole text when it is not longer. */
export function headParagraphs(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const blank = text.lastIndexOf('\n\n', limit);
  const cut = blank > limit / 4 ? blank : text.lastIndexOf('\n', limit);
  return text.slice(0, cut > limit / 4 ? cut : limit).replace(/[\uD800-\uDBFF]$/, '');
}
