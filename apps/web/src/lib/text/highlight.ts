/** Code → HTML made of escaped text and `<span class="hljs-…">`; null when the language is not known. */
export type CodeHighlighter = (code: string, language: string) => string | null;

/** Longer code stays plain: colouring it would block the page for more than a frame. */
export const HIGHLIGHT_LIMIT = 24_000;

/** File endings and fence words → the names that `highlight-languages.ts` registers. */
const ALIASES: Record<string, string> = {};
for (const [language, words] of Object.entries({
  typescript: 'ts tsx mts cts typescript',
  javascript: 'js jsx mjs cjs javascript node',
  json: 'json jsonl json5 jsonc webmanifest',
  bash: 'sh bash zsh ksh shell console fish',
  python: 'py pyi python python3',
  css: 'css scss less',
  xml: 'html htm xml svg svelte vue xhtml plist',
  markdown: 'md markdown mdx',
  rust: 'rs rust',
  go: 'go golang',
  java: 'java kt kotlin',
  cpp: 'c h cc cpp cxx hpp hh c++ cs csharp',
  yaml: 'yaml yml toml ini',
  sql: 'sql sqlite psql',
  diff: 'diff patch',
})) {
  for (const word of words.split(' ')) ALIASES[word] = language;
}

/** The registered language of a fence word or file ending, or null. */
export function languageOf(word: string): string | null {
  const key = word.toLowerCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key]! : null;
}

/** The language of a file by its ending, or null. */
export function languageOfPath(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? null : languageOf(name.slice(dot + 1));
}

/** Loads highlight.js and its languages (a chunk of its own) and answers the highlighter. */
export async function loadHighlighter(): Promise<CodeHighlighter> {
  const { highlightCode } = await import('./highlight-languages.ts');
  return (code, language) => {
    const known = languageOf(language);
    return known === null || code.length > HIGHLIGHT_LIMIT ? null : highlightCode(code, known);
  };
}
