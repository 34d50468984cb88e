/** Texts that run when they are shown as HTML, in every field of a session that is shown anywhere. */
import { assistant, call, entry, HEADER, result, text, user, type Fields } from './lines.ts';

export const XSS = {
  tags: '<img src=x onerror="window.__xss=1">',
  script: '</script><script>window.__xss=1</script>',
  svg: '<svg onload="window.__xss=1">',
  attribute: '"onmouseover="window.__xss=1" x="',
  link: '[c](javascript:window.__xss=1)',
  entityLink: '[c](JaVaScRiPt&#58;window.__xss=1)',
  dataLink: '[c](data:text/html,<script>window.__xss=1</script>)',
  remote: '![x](http://127.0.0.1:9/leak)',
  file: '<file name="a.ts">the body of the file</file>',
  mime: 'image/png" onerror="window.__xss=1',
  template: '{{constructor.constructor("window.__xss=1")()}}${window.__xss=1}',
} as const;

/** All of them in one text. */
export const EVERYTHING = Object.values(XSS).join('\n\n');

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SVG = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="window.__xss=1"/>');

const { tags, script, svg, attribute, mime } = XSS;

/** The entries of the kit, a chain. */
export function xssEntries(): Fields[] {
  return [
    user(1, null, text(EVERYTHING)),
    assistant(
      2,
      1,
      [
        { type: 'thinking', thinking: EVERYTHING },
        { type: 'text', text: EVERYTHING },
        call('c1', `bash${tags}`, { command: EVERYTHING }),
        call('c2', 'edit', { path: `/w/${tags}.ts`, oldText: script, newText: svg }),
        call('c3', 'read', { path: `/w/${attribute}`, [`key${tags}`]: EVERYTHING }),
      ],
      { provider: `p${tags}`, model: `m${script}`, stopReason: 'toolUse' },
    ),
    result(3, 2, 'c1', text(`${EVERYTHING}\n\u001b[31m${tags}\u001b]8;;javascript:window.__xss=1\u0007link\u001b]8;;\u0007`), {
      toolName: `bash${tags}`,
      details: { diff: EVERYTHING, [tags]: tags },
    }),
    result(4, 3, 'c2', text(tags), { isError: true, details: { diff: `-${script}\n+${tags}` } }),
    result(5, 4, 'c3', [
      { type: 'image', mimeType: mime, data: PNG },
      { type: 'image', mimeType: 'image/svg+xml', data: SVG },
      { type: `x${tags}`, value: EVERYTHING },
    ]),
    entry(6, 5, 'custom_message', { customType: svg, content: EVERYTHING, display: true, details: { [svg]: svg } }),
    entry(7, 6, 'custom', { customType: svg, data: { html: EVERYTHING } }),
    entry(8, 7, `unknown${tags}`, { html: EVERYTHING }),
    entry(9, 8, 'message', { message: { role: `role${tags}`, content: EVERYTHING } }),
    entry(10, 9, 'message', {
      message: { role: 'bashExecution', command: tags, output: EVERYTHING, exitCode: 1, fullOutputPath: tags },
    }),
    entry(11, 10, 'message', {
      message: { role: 'system', content: tags, sections: { [tags]: EVERYTHING }, toolsAdded: [{ name: tags }] },
    }),
    entry(12, 11, 'model_change', { provider: `p${tags}`, modelId: `m${svg}` }),
    entry(13, 12, 'thinking_level_change', { thinkingLevel: tags }),
    entry(14, 13, 'label', { targetId: '00000002', label: `label${tags}` }),
    entry(15, 14, 'branch_summary', { fromId: '00000001', summary: EVERYTHING }),
    entry(16, 15, 'compaction', { summary: EVERYTHING, shortSummary: tags, firstKeptEntryId: '0000000f', tokensBefore: 10 }),
    assistant(17, 16, [], { stopReason: 'error', errorMessage: EVERYTHING }),
    entry(18, 17, 'session_info', { name: `name${tags}` }),
    user(19, 18, [
      { type: 'text', text: XSS.file },
      { type: 'image', mimeType: mime, data: PNG },
    ]),
    assistant(20, 19, text(EVERYTHING), { provider: tags, model: svg }),
  ];
}

/** The header of the kit: working directory and title. */
export const XSS_HEADER: Fields = { ...HEADER, id: 'xss', cwd: `/w/${tags}/${attribute}`, title: `title${tags}` };
