import { Marked, type RendererObject, type Tokens } from 'marked';

import type { CodeHighlighter } from './highlight.ts';
import { safeHref } from './links.ts';
import { escapeHtml, sanitize } from './sanitize.ts';

/** A link that leads nowhere from here: its text, and the address as a tooltip. */
function deadLink(text: string, href: string): string {
  return `<span class="md-dead" title="${escapeHtml(href)}">${text}</span>`;
}

function liveLink(text: string, href: string, cls: string): string {
  return `<a class="${cls}" href="${escapeHtml(href)}" target="_blank" rel="noreferrer noopener">${text}</a>`;
}

function cell(this: RendererContext, token: Tokens.TableCell): string {
  const tag = token.header ? 'th' : 'td';
  const cls = token.align ? ` class="md-${token.align}"` : '';
  return `<${tag}${cls}>${this.parser.parseInline(token.tokens)}</${tag}>`;
}

type RendererContext = ThisParameterType<NonNullable<RendererObject['link']>>;

function renderer(highlight: CodeHighlighter | null): RendererObject {
  return {
    // Raw HTML is somebody's text: it is shown, never interpreted.
    html(token) {
      const text = escapeHtml(token.text.replace(/\n+$/, ''));
      return 'block' in token && token.block ? `<p class="md-raw">${text}</p>` : text;
    },
    // Headings would mix into the page's own outline; they are bold paragraphs here.
    heading(token) {
      return `<p class="md-h md-h${token.depth}">${this.parser.parseInline(token.tokens)}</p>`;
    },
    link(token) {
      const text = this.parser.parseInline(token.tokens);
      const href = safeHref(token.href);
      return href === null ? deadLink(text, token.href) : liveLink(text, href, 'md-link');
    },
    // Never loaded by itself: reading a transcript must not tell anyone that it is read.
    image(token) {
      const text = escapeHtml(token.text || token.href.slice(0, 200));
      const href = safeHref(token.href);
      return href === null ? deadLink(text, token.href.slice(0, 200)) : liveLink(text, href, 'md-image');
    },
    code(token) {
      const language = (token.lang ?? '').split(/\s/)[0] ?? '';
      const html = highlight?.(token.text, language) ?? escapeHtml(token.text);
      return `<pre class="md-code"><code>${html}</code></pre>`;
    },
    checkbox(token) {
      return token.checked ? '[x] ' : '[ ] ';
    },
    tablecell: cell,
  };
}

/** Markdown parsers by highlighter; there are two at most (before and after the languages have arrived). */
const parsers = new Map<CodeHighlighter | null, Marked>();

function parserFor(highlight: CodeHighlighter | null): Marked {
  let parser = parsers.get(highlight);
  if (parser === undefined) {
    parser = new Marked({ gfm: true, breaks: true, renderer: renderer(highlight) });
    // One tilde is a home folder or "about", not a strike.
    parser.use({ tokenizer: { del: (src) => (src.startsWith('~~') ? false : undefined) } });
    parsers.set(highlight, parser);
  }
  return parser;
}

/**
 * Transcript Markdown (GFM, line breaks kept) as sanitised HTML. Raw HTML comes out as readable text, links are
 * http, https or mailto and carry `rel="noreferrer noopener"`, images become links. `highlight` colours fenced code.
 */
export function renderMarkdown(source: string, highlight: CodeHighlighter | null = null): string {
  return sanitize(parserFor(highlight).parse(source, { async: false }));
}
