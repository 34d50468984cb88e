import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { blobHash, blobReferences, resolveBlobs, SessionStoreError } from '../../src/pure.ts';
import { toBase64 } from '../../src/blobs/base64.ts';

const PIXELS = new Uint8Array([137, 80, 78, 71, 1, 2, 3]);
const URL_TEXT = 'data:image/png;base64,iVBORwECAw==';
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const HASH = hashOf(PIXELS);
const URL_HASH = hashOf(URL_TEXT);
const REF = `blob:sha256:${HASH}`;
const URL_REF = `blob:sha256:${URL_HASH}`;
const store = new Map([
  [HASH, PIXELS],
  [URL_HASH, new TextEncoder().encode(URL_TEXT)],
]);
const get = (hash: string): Promise<Uint8Array | undefined> => Promise.resolve(store.get(hash));

describe('blobHash', () => {
  it.each([
    [REF, HASH],
    [`blob:sha256:${HASH.toUpperCase()}`, null],
    [`blob:sha256:${HASH.slice(1)}`, null],
    [`blob:sha256:${HASH}0`, null],
    [`blob:sha256:../../../../etc/passwd${HASH.slice(22)}`, null],
    [` ${REF}`.slice(0, 76), null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(blobHash(text)).toBe(expected);
  });
});

describe('toBase64', () => {
  it('is canonical at every length', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length * 7) & 255);
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }
  });
});

/** Where agents put references (oh-my-pi, spec 9 and complaints #9901, #11702), and what stands there after resolving. */
const PLACES: [string, unknown, unknown][] = [
  [
    'an image in content',
    { content: [{ type: 'image', data: REF, mimeType: 'image/png' }] },
    { content: [{ type: 'image', data: toBase64(PIXELS), mimeType: 'image/png' }] },
  ],
  [
    'images of a tool result',
    { details: { images: [{ data: REF, mimeType: 'image/png' }] } },
    { details: { images: [{ data: toBase64(PIXELS), mimeType: 'image/png' }] } },
  ],
  [
    'frames of an archive',
    { preserveData: { archive: { frames: [{ type: 'image', data: REF }] } } },
    { preserveData: { archive: { frames: [{ type: 'image', data: toBase64(PIXELS) }] } } },
  ],
  [
    'the URL of an image',
    { payload: [{ type: 'input_image', image_url: URL_REF }] },
    { payload: [{ type: 'input_image', image_url: URL_TEXT }] },
  ],
  [
    'a generated image',
    { items: [{ type: 'image_generation_call', result: REF }] },
    { items: [{ type: 'image_generation_call', result: toBase64(PIXELS) }] },
  ],
];

/** What looks like a reference and is a text. */
const TEXTS: [string, unknown][] = [
  ['a text of a message', { content: [{ type: 'text', text: REF }] }],
  ['content that is a text', { content: REF }],
  ['data of something else', { type: 'custom', data: REF }],
  ['data that is no image', { data: REF, mimeType: 'text/plain' }],
  ['the result of a tool', { type: 'toolResult', result: REF }],
  ['bad hex', { type: 'image', data: `blob:sha256:${'g'.repeat(64)}` }],
  ['an item of a list', [REF]],
];

describe('resolveBlobs', () => {
  it.each(PLACES)('%s', async (_, value, expected) => {
    const before = structuredClone(value);
    const resolved = await resolveBlobs(value, get);
    expect(resolved).toEqual({ value: expected, missing: [], corrupt: [] });
    expect(value).toEqual(before);
    expect(blobReferences(value)).toHaveLength(1);
  });

  it.each(TEXTS)('leaves %s alone', async (_, value) => {
    expect(blobReferences(value)).toEqual([]);
    expect((await resolveBlobs(value, get)).value).toEqual(value);
  });

  it('leaves what it cannot have, and says so', async () => {
    const missing = `blob:sha256:${'0'.repeat(64)}`;
    const corrupt = `blob:sha256:${'1'.repeat(64)}`;
    const value = [missing, corrupt, REF, missing].map((data) => ({ type: 'image', data }));
    const resolved = await resolveBlobs(value, (hash) => {
      if (hash.startsWith('1')) return Promise.reject(new SessionStoreError('blob_corrupt', 'damaged'));
      return get(hash);
    });
    expect(resolved.value.map(({ data }) => data)).toEqual([missing, corrupt, toBase64(PIXELS), missing]);
    expect([resolved.missing, resolved.corrupt]).toEqual([['0'.repeat(64)], ['1'.repeat(64)]]);
  });

  it('passes other errors on', async () => {
    const failing = resolveBlobs({ type: 'image', data: REF }, () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
  });

  it('reads each blob once, at most 8 at a time', async () => {
    const hashes = Array.from({ length: 30 }, (_, i) => hashOf(String(i)));
    const value = [...hashes, ...hashes].map((hash) => ({ type: 'image', data: `blob:sha256:${hash}` }));
    let now = 0;
    let most = 0;
    const asked: string[] = [];
    await resolveBlobs(value, async (hash) => {
      asked.push(hash);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return PIXELS;
    });
    expect(asked.sort()).toEqual([...hashes].sort());
    expect(most).toBe(8);
  });

  it('bears values that are nested 20,000 deep', async () => {
    let value: unknown = { type: 'image', data: REF };
    for (let i = 0; i < 20_000; i++) value = [value];
    let inner = (await resolveBlobs(value, get)).value;
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toEqual({ type: 'image', data: toBase64(PIXELS) });
  });

  it('keeps a field called __proto__ a field', async () => {
    const value = JSON.parse(`{"__proto__":{"type":"image","data":"${REF}"}}`) as object;
    const { value: copy } = await resolveBlobs(value, get);
    expect(JSON.stringify(copy)).toBe(`{"__proto__":{"type":"image","data":"${toBase64(PIXELS)}"}}`);
  });
});
