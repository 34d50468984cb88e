import { describe, expect, it } from 'vitest';

import { generateSession } from '../../src/corpus/index.ts';
import { SessionContentDecoder } from '../../src/pure.ts';
import { nodeDecodeUtf8 } from '../../src/store/bodies.ts';
import { session } from '../../src/testing/index.ts';
import { columnsOf, decode } from '../support/decode.ts';

const HASH = 'a'.repeat(64);

describe('an outline whose facts are read when they are asked for', () => {
  const texts: [string, string][] = [
    ...(['pi', 'musepi'] as const).flatMap((shapes) =>
      [1, 2, 3].map((seed): [string, string] => [
        `a generated session of ${shapes}, ${String(seed)}`,
        [...generateSession({ seed, shapes, entries: 300, branches: 5 }), ''].join('\n'),
      ]),
    ),
    [
      'odd entries',
      session()
        .user([{ type: 'image', mimeType: 'image/png', data: `blob:sha256:${HASH}` }])
        .user('again', { id: 'e1' })
        .label('gone', 'x')
        .compaction('s', 'gone')
        .user('lost', { parentId: 'never' })
        .call('c1')
        .result('c1', 'found')
        .text(),
    ],
    ['version 1', session({ version: 1 }).user('a').assistant('b').text()],
  ];

  it.each(texts)('says the same as one that read them at once: %s', (_, text) => {
    const bytes = new TextEncoder().encode(text);
    const late = new SessionContentDecoder();
    late.push(bytes);
    const { problems } = late.finish();
    const { decoder, outline } = decode(text);
    expect(columnsOf(late.outline)).toEqual(columnsOf(outline));
    expect([...late.outline.blobRows()]).toEqual([...outline.blobRows()]);
    expect([...late.outline.settingRows()]).toEqual([...outline.settingRows()]);
    expect(problems).toEqual(decoder.problems);
  });

  it.each(texts)('goes on after it was asked: %s', (_, text) => {
    const bytes = new TextEncoder().encode(text);
    const half = bytes.length >> 1;
    const late = new SessionContentDecoder();
    late.push(bytes.slice(0, half));
    late.decoder.settle();
    if (late.outline.rowCount > 0) late.outline.title(0);
    late.push(bytes.slice(half));
    late.finish();
    expect(columnsOf(late.outline)).toEqual(columnsOf(decode(text).outline));
  });
});

describe('chunks in a Buffer that is used again', () => {
  it('are read as if each had its own', () => {
    const build = session().user('项目'.repeat(40)).assistant('done').user('x'.repeat(300));
    const bytes = new TextEncoder().encode(build.text());
    const shared = Buffer.alloc(64);
    const decoder = new SessionContentDecoder(nodeDecodeUtf8);
    for (let at = 0; at < bytes.length; at += shared.length) {
      const length = Math.min(shared.length, bytes.length - at);
      shared.set(bytes.subarray(at, at + length));
      decoder.push(shared.subarray(0, length));
    }
    const { entries, problems } = decoder.finish();
    expect(problems).toEqual([]);
    expect(entries).toEqual(build.entries());
  });
});
