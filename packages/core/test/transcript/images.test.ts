import { describe, expect, it } from 'vitest';

import { entryImage, shapesFor, transcriptPage, transcriptView, type SessionEntry } from '../../src/pure.ts';
import { session, type SessionBuilder } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

const hash = 'ab'.repeat(32);
const image = (data: string, mimeType = 'image/png'): { type: string; data: string; mimeType: string } => ({
  type: 'image',
  data,
  mimeType,
});

/** The image references that the items of a session give, in order. */
async function refsOf(build: SessionBuilder): Promise<unknown[]> {
  const { outline } = decode(build);
  const entries = build.entries();
  const view = transcriptView(outline, outline.leafRow, 'full', shapesFor('musepi'));
  const load = (rows: readonly number[]): Promise<SessionEntry[]> => Promise.resolve(rows.map((row) => entries[row]!));
  const { items } = await transcriptPage(outline, view, load, { limit: 60 });
  return (JSON.stringify(items).match(/\{"index":[^}]*\}/g) ?? []).map((text) => JSON.parse(text) as unknown);
}

const raw = (build: SessionBuilder, row = 0): Record<string, unknown> =>
  build.entries()[row] as unknown as Record<string, unknown>;

describe('images', () => {
  it('are numbered in reading order, inline ones with their length, blobs with their hash', async () => {
    const build = session().user([image('AAAA'), { type: 'text', text: 'and' }, image(`blob:sha256:${hash}`, 'image/webp')]);
    expect(await refsOf(build)).toMatchObject([
      { index: 0, mimeType: 'image/png', bytes: 4, blob: null },
      { index: 1, mimeType: 'image/webp', bytes: null, blob: hash },
    ]);
    expect(entryImage(raw(build), 0)).toMatchObject({ mimeType: 'image/png', data: 'AAAA', blob: null });
    expect(entryImage(raw(build), 1)).toMatchObject({ mimeType: 'image/webp', data: null, blob: hash });
    expect(entryImage(raw(build), 2)).toBeNull();
    expect(entryImage(raw(build), -1)).toBeNull();
  });

  it.each([`blob:sha256:${hash.toUpperCase()}`, `blob:sha256:${hash}x`, 'blob:sha256:../../etc/passwd', `blob:md5:${hash}`])(
    'take %s for data, not for a blob',
    (data) => {
      expect(entryImage(raw(session().user([image(data)])), 0)?.blob).toBeNull();
    },
  );

  it('are found in results, custom messages and every other content', async () => {
    const builds = [
      session().message('toolResult', { toolCallId: 'c', toolName: 'read', content: [image('BBBB')] }),
      session().entry('custom_message', { customType: 'x', content: [image('BBBB')], display: true }),
      session().message('custom', { customType: 'x', content: [image('BBBB')], display: true }),
      session().assistant([image('BBBB')]),
    ];
    for (const build of builds) {
      expect(await refsOf(build)).toMatchObject([{ index: 0, bytes: 4 }]);
      expect(entryImage(raw(build), 0)?.data).toBe('BBBB');
    }
  });

  it('of a text, an empty or a broken content are none', () => {
    for (const content of ['text', null, 5, [], [null], [{ type: 'image' }]]) {
      const found = entryImage(raw(session().message('user', { content })), 0);
      expect(found === null || found.data === '' || found.data === null).toBe(true);
    }
  });

  it('count in the outline', () => {
    const { outline } = decode(
      session()
        .user([image('AAAA')])
        .user('text'),
    );
    expect([outline.has(0, 'hasImages'), outline.has(1, 'hasImages')]).toEqual([true, false]);
    expect(outline.estimate(0)).toBeGreaterThan(1000);
  });
});
