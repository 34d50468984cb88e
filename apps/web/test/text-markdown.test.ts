import { beforeAll, describe, expect, it } from 'vitest';

import { loadHighlighter, languageOfPath, type CodeHighlighter } from '../src/lib/text/highlight.ts';
import { renderMarkdown } from '../src/lib/text/markdown.ts';

/** The HTML as the browser reads it. */
function dom(source: string, highlight: CodeHighlighter | null = null): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = renderMarkdown(source, highlight);
  return root;
}

const HOSTILE = [
  '[c](javascript:alert(1))',
  '[c](JaVaScRiPt&#58;alert(1))',
  '[c](java\tscript:alert(1))',
  '[c](data:text/html,<script>alert(1)</script>)',
  '[c](vbscript:x)',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<script>alert(1)</script>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
  '![x](http://127.0.0.1:9/leak)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x" onerror="alert(1)](x" onerror="alert(1))',
  '[x](https://a.example/"onmouseover="alert(1))',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '```<img src=x onerror=alert(1)>\n<img src=x onerror=alert(1)>\n```',
  '`<img src=x onerror=alert(1)>`',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <script>1</script> |',
  '<p style="position:fixed;inset:0">over everything</p>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<form action=https://evil.example><input name=q></form>',
  '<!-- <img src=x onerror=alert(1)> -->',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  'https://a.example/<script>alert(1)</script>',
];

const TAGS = new Set('P BR HR STRONG EM DEL CODE PRE UL OL LI BLOCKQUOTE TABLE THEAD TBODY TR TH TD A SPAN'.split(' '));
const ATTRIBUTES = new Set(['href', 'title', 'class', 'rel', 'target', 'start']);

describe('hostile Markdown', () => {
  it.each(HOSTILE)('%s gives only harmless elements', (source) => {
    for (const element of dom(source).querySelectorAll('*')) {
      expect(TAGS).toContain(element.tagName);
      for (const attribute of element.attributes) expect(ATTRIBUTES).toContain(attribute.name);
      const href = element.getAttribute('href');
      if (href !== null) expect(href).toMatch(/^(https?|mailto):/);
    }
  });

  it('shows raw HTML as text, at the start of a line and inside one', () => {
    expect(dom('<img src=x onerror=alert(1)>').textContent).toContain('<img src=x onerror=alert(1)>');
    expect(dom('see <file name="a.ts">body</file> here').textContent?.trim()).toBe('see <file name="a.ts">body</file> here');
    expect(dom('<file name="a.ts">\nbody\n</file>').textContent).toContain('<file name="a.ts">\nbody\n</file>');
    expect(dom('<!-- note -->').textContent).toContain('<!-- note -->');
  });

  it('keeps the text of a link that it does not make, and says where it led', () => {
    const root = dom('[click](javascript:alert(1))');
    expect(root.querySelector('a')).toBeNull();
    expect(root.textContent).toContain('click');
    expect(root.querySelector('.md-dead')?.getAttribute('title')).toContain('javascript:');
  });

  it('loads no image: it becomes a link', () => {
    const root = dom('![a picture](http://127.0.0.1:9/leak)');
    expect(root.querySelector('img')).toBeNull();
    expect(root.querySelector('a.md-image')?.textContent).toBe('a picture');
  });
});

describe('Markdown', () => {
  it('opens links apart and without a referrer', () => {
    const link = dom('[docs](https://a.example/x?y=1&z=2)').querySelector('a');
    expect(link?.getAttribute('href')).toBe('https://a.example/x?y=1&z=2');
    expect(link?.getAttribute('rel')).toBe('noreferrer noopener');
    expect(link?.getAttribute('target')).toBe('_blank');
  });

  it('does not link relative addresses', () => {
    expect(dom('[app](src/app.ts)').querySelector('a')).toBeNull();
  });

  it('reads tables, lists with boxes, breaks and strikes', () => {
    expect(dom('| a | b |\n|---|--:|\n| 1 | 2 |').querySelector('td.md-right')?.textContent).toBe('2');
    expect(dom('- [x] done\n- [ ] open').textContent).toContain('[x] done');
    expect(dom('one\ntwo').querySelectorAll('br')).toHaveLength(1);
    expect(dom('~~gone~~').querySelector('del')?.textContent).toBe('gone');
    expect(dom('about ~5~ or ~/work').querySelector('del')).toBeNull();
  });

  it('writes headings as paragraphs, so that they stay out of the page outline', () => {
    const root = dom('# Top\n\n### Third');
    expect(root.querySelector('h1, h3')).toBeNull();
    expect(root.querySelector('.md-h3')?.textContent).toBe('Third');
  });

  it('keeps Chinese text and code in it', () => {
    expect(dom('修复 `登录` 页面 **样式**').textContent?.trim()).toBe('修复 登录 页面 样式');
  });
});

describe('highlighting', () => {
  let highlight: CodeHighlighter;
  beforeAll(async () => {
    highlight = await loadHighlighter();
  });

  it('colours fenced code by its language', () => {
    const code = dom('```ts\nconst x = "<b>";\n```', highlight).querySelector('code');
    expect(code?.querySelector('.hljs-keyword')?.textContent).toBe('const');
    expect(code?.textContent).toBe('const x = "<b>";');
    expect(code?.querySelector('b')).toBeNull();
  });

  it('leaves unknown languages and very long code plain', () => {
    expect(highlight('x', 'brainfuck')).toBeNull();
    expect(highlight('x', 'constructor')).toBeNull();
    expect(highlight('x'.repeat(100_000), 'ts')).toBeNull();
  });

  it('knows languages by file ending', () => {
    expect(languageOfPath('/a.b/src/App.svelte')).toBe('xml');
    expect(languageOfPath('C:\\work\\main.PY')).toBe('python');
    expect(languageOfPath('/a.py/Makefile')).toBeNull();
  });
});
