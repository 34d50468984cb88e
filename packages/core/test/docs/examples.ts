import { readFileSync } from 'node:fs';

const FENCE = /^```ts\n([\s\S]*?)^```$/gm;

export interface Example {
  /** The heading that it stands under, and which of those it is. */
  name: string;
  /** 1-based, in the page. */
  line: number;
  code: string;
  /** What it must print, a line a call of `console.log`. */
  prints: string[];
}

/**
 * The blocks marked `ts` of a page, each a program of its own. What a `console.log` prints stands in a comment behind it, or
 * alone on the line below.
 */
export function examplesOf(file: string): Example[] {
  const page = readFileSync(file, 'utf8');
  return [...page.matchAll(FENCE)].map((match, n) => {
    const before = page.slice(0, match.index);
    const heading =
      before
        .match(/^##? (.*)$/gm)
        ?.at(-1)
        ?.replace(/^#+ /, '') ?? '';
    const code = match[1]!;
    return { name: `${heading} (${String(n + 1)})`, line: before.split('\n').length + 1, code, prints: printsOf(code) };
  });
}

function printsOf(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\);(?: \/\/ (.*)|\n\/\/ (.*))?$/gm)].map(([call, behind, below]) => {
    const text = behind ?? below;
    if (text === undefined) throw new Error(`It is not said what this prints: ${call}`);
    return text;
  });
}
