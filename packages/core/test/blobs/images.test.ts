import { describe, expect, it } from 'vitest';

import { entryImage, transcriptPage, transcriptView, shapesFor, type ContentPart, type SessionEntry } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const HASH = 'a'.repeat(64);
const png = (data: string): { type: 'image'; data: string; mimeType: string } => ({ type: 'image', data, mimeType: 'image/png' });

/** Images of an entry as `[type, data or hash]`, asked one by one. */
function images(entry: SessionEntry): [string, string][] {
  const found: [string, string][] = [];
  for (let i = 0; ; i++) {
    const image = entryImage({ ...entry }, i);
    if (image === null) return found;
    found.push([image.mimeType, image.data ?? `${image.form} ${image.blob ?? ''}`]);
  }
}

const only = (builder: SessionBuilder): SessionEntry => builder.entries().at(-1)!;

describe('entryImage', () => {
  it.each<[string, SessionEntry, [string, string][]]>([
    [
      'content',
      only(session().user([{ type: 'text', text: 'x' }, png('AAAA'), png('BBBB')])),
      [
        ['image/png', 'AAAA'],
        ['image/png', 'BBBB'],
      ],
    ],
    ['a blob', only(session().user([png(`blob:sha256:${HASH}`)])), [['image/png', `base64 ${HASH}`]]],
    [
      'details of a tool result, after its content',
      only(
        session().message('toolResult', {
          content: [png('AAAA')],
          details: { images: [{ data: 'BBBB', mimeType: 'image/webp' }] },
        }),
      ),
      [
        ['image/png', 'AAAA'],
        ['image/webp', 'BBBB'],
      ],
    ],
    [
      'images of the message itself',
      only(session().message('toolResult', { content: null, images: [png('AAAA')] })),
      [['image/png', 'AAAA']],
    ],
    [
      'an image that content and details both hold',
      only(
        session().message('toolResult', { content: [png('AAAA')], details: { images: [png('AAAA'), png('CCCC'), png('CCCC')] } }),
      ),
      [
        ['image/png', 'AAAA'],
        ['image/png', 'CCCC'],
      ],
    ],
    [
      'frames deep in a custom message',
      only(session().entry('custom_message', { customType: 'x', content: 'y', details: { deep: [{ frames: [png('AAAA')] }] } })),
      [['image/png', 'AAAA']],
    ],
    [
      'a data URL',
      only(session().message('toolResult', { content: [], details: { image_url: 'data:image/gif;charset=x;base64,R0lG' } })),
      [['image/gif', 'R0lG']],
    ],
    [
      'a data URL in a blob',
      only(session().message('toolResult', { content: [], details: { image_url: `blob:sha256:${HASH}` } })),
      [['', `text ${HASH}`]],
    ],
    [
      'an address of the network, which is never fetched',
      only(session().message('toolResult', { content: [], details: { image_url: 'https://example.org/a.png' } })),
      [],
    ],
    [
      'frames that a compaction keeps, but not the history of its provider',
      only(
        session().compaction('s', undefined, {
          preserveData: { frames: [png('AAAA')], history: [{ type: 'input_image', image_url: 'data:image/png;base64,BBBB' }] },
        }),
      ),
      [['image/png', 'AAAA']],
    ],
    [
      'a mentioned file',
      only(session().message('fileMention', { files: [{ path: 'a.png', content: '', image: png('AAAA') }] })),
      [['image/png', 'AAAA']],
    ],
    ['nothing', only(session().user('x')), []],
  ])('%s', (_, entry, expected) => {
    expect(images(entry)).toEqual(expected);
  });
});

describe('the transcript', () => {
  async function partsOf(builder: SessionBuilder): Promise<ContentPart[]> {
    const { outline } = decode(builder);
    const bodies = builder.entries();
    const view = transcriptView(outline, outline.leafRow, 'full', shapesFor('musepi'));
    const page = await transcriptPage(outline, view, (rows) => Promise.resolve(rows.map((row) => bodies[row]!)), { limit: 50 });
    return page.items.flatMap((item) => {
      if (item.kind === 'toolCall') return item.result?.parts ?? [];
      return 'parts' in item ? item.parts : item.kind === 'toolResult' ? item.result.parts : [];
    });
  }

  const brief = (parts: ContentPart[]): string[] =>
    parts.map((part) =>
      part.type === 'image'
        ? `image ${String(part.image.index)} ${part.image.blob ?? String(part.image.bytes)}`
        : part.type === 'text'
          ? part.text
          : part.type,
    );

  it('shows what tools keep beside their text, with the numbers by which it is fetched', async () => {
    const builder = session()
      .call('c1', 'shot')
      .result('c1', 'done', { details: { images: [png('AAAA'), png(`blob:sha256:${HASH}`)] } });
    const parts = await partsOf(builder);
    expect(brief(parts)).toEqual(['done', 'image 0 4', `image 1 ${HASH}`]);
    const entry = { ...builder.entries()[1]! };
    expect([entryImage(entry, 0)?.data, entryImage(entry, 1)?.blob]).toEqual(['AAAA', HASH]);
    expect(decode(builder).outline.has(1, 'hasImages')).toBe(true);
  });

  it('shows those of extensions', async () => {
    const builder = session().entry('custom_message', {
      customType: 'x',
      content: 'y',
      display: true,
      details: { frames: [png('AAAA')] },
    });
    expect(brief(await partsOf(builder))).toEqual(['y', 'image 0 4']);
  });

  it('shows the frames of a compaction once each', async () => {
    const builder = session()
      .user('go')
      .compaction('s', 'e1', { preserveData: { frames: [png('AAAA'), png('BBBB'), png('AAAA')] } });
    const { outline } = decode(builder);
    const view = transcriptView(outline, outline.leafRow, 'full', shapesFor('musepi'));
    const bodies = builder.entries();
    const page = await transcriptPage(outline, view, (rows) => Promise.resolve(rows.map((row) => bodies[row]!)), { limit: 9 });
    expect(page.items.at(-1)).toMatchObject({
      kind: 'compaction',
      images: [
        { index: 0, bytes: 4 },
        { index: 1, bytes: 4 },
      ],
    });
  });

  it('shows mentioned files', async () => {
    const builder = session().message('fileMention', {
      files: [
        { path: 'src/a.ts', content: 'let a;' },
        { path: 'a.png', content: '', image: png('AAAA') },
        { path: 'big.bin', content: '', skippedReason: 'binary' },
      ],
    });
    expect(brief(await partsOf(builder))).toEqual(['src/a.ts\n\nlet a;', 'a.png', 'image 0 4', 'big.bin']);
    const { outline } = decode(builder);
    expect([outline.title(0), outline.estimate(0), outline.chars(0).images]).toEqual([
      'src/a.ts, a.png, big.bin',
      Math.ceil((8 + 6 + 5 + 7 + 4800) / 4),
      4800,
    ]);
  });
});
