import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { fromBase64, toBase64 } from '../../src/blobs/base64.ts';
import { SessionStoreError } from '../../src/errors.ts';
import { prepareEntry } from '../../src/persist/prepare.ts';
import { restoreEntry } from '../../src/persist/restore.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A text that is base64, or nearly, with as many characters as may matter. */
const base64ish = fc
  .record({
    bytes: fc.uint8Array({ minLength: 740, maxLength: 800 }),
    how: fc.constantFrom('', '', '', 'cut', 'newline', 'url', 'noise'),
    noise: fc.string(),
  })
  .map(({ bytes, how, noise }) => {
    const text = Buffer.from(bytes).toString('base64');
    switch (how) {
      case 'cut':
        return text.slice(0, -1);
      case 'newline':
        return `${text}\n`;
      case 'url':
        return Buffer.from(bytes).toString('base64url');
      case 'noise':
        return text.slice(0, 1020) + noise + text.slice(1020);
      default:
        return text;
    }
  });

const holder = fc.oneof(
  fc.record({ type: fc.constant('image'), data: base64ish, mimeType: fc.constant('image/png') }),
  fc.record({ mimeType: fc.constantFrom('image/webp', 'audio/wav'), data: base64ish }),
  fc.record({ type: fc.constantFrom('image_generation_call', 'other'), result: base64ish }),
  fc.record({
    image_url: fc.oneof(
      base64ish.map((text) => `data:image/png;base64,${text}`),
      fc.string({ unit: 'binary' }),
    ),
  }),
  fc.record({ type: fc.constant('image'), data: base64ish, image_url: base64ish.map((text) => `data:image/gif;base64,${text}`) }),
  fc.record({ type: fc.constant('thinking'), thinkingSignature: fc.string(), thinking: fc.string(), image_url: base64ish }),
);

/** JSON values with images at any place; the keys are those that mean something, and others. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
    holder,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('content', 'images', 'frames', 'data', 'image_url', 'result', 'type', 'lineCount', 'x', '__proto__'),
      tie('value'),
    ),
  ),
}));
const entry = fc.record({ type: fc.constant('custom'), id: fc.string(), data: value, list: fc.array(value, { maxLength: 3 }) });

describe('prepareEntry and restoreEntry', () => {
  it('give an entry back to the letter, whatever images are in it', () => {
    let externalised = 0;
    fc.assert(
      fc.property(entry, (original) => {
        const text = JSON.stringify(original);
        const blobs = new Map<string, Uint8Array>();
        const putBlob = (bytes: Uint8Array): string => {
          blobs.set(hashOf(bytes), bytes.slice());
          return hashOf(bytes);
        };
        const stored = prepareEntry(original, { putBlob });
        expect(prepareEntry(stored, { putBlob })).toBe(stored);
        const line = JSON.stringify(stored);
        const read = restoreEntry(JSON.parse(line) as object, (hash) => blobs.get(hash));
        expect(JSON.stringify(read.value)).toBe(text);
        expect([read.missing, read.corrupt]).toEqual([[], []]);
        expect(JSON.stringify(original)).toBe(text);
        if (blobs.size === 0) expect(stored).toBe(original);
        externalised += blobs.size;
      }),
      { numRuns: 400 },
    );
    expect(externalised).toBeGreaterThan(100);
  });
});

describe('restoreEntry', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const ref = (digit: string): string => `blob:sha256:${digit.repeat(64)}`;

  it('is the same object when nothing refers to blobs', () => {
    const value = { content: [{ type: 'text', text: ref('a') }], data: ref('a') };
    expect(restoreEntry(value, () => bytes).value).toBe(value);
  });

  it('leaves what cannot be had, and says so', () => {
    const value = { images: ['0', '1', '2', '0', '2'].map((digit) => ({ type: 'image', data: ref(digit) })), other: {} };
    const asked: string[] = [];
    const restored = restoreEntry(value, (hash) => {
      asked.push(hash[0]!);
      if (hash.startsWith('1')) throw new SessionStoreError('blob_corrupt', 'damaged');
      return hash.startsWith('0') ? undefined : bytes;
    });
    expect(restored.value.images.map(({ data }) => data)).toEqual([ref('0'), ref('1'), 'AQID', ref('0'), 'AQID']);
    expect([restored.missing, restored.corrupt]).toEqual([['0'.repeat(64)], ['1'.repeat(64)]]);
    expect(asked.sort()).toEqual(['0', '1', '2']);
    expect(restored.value.other).toBe(value.other);
    expect(value.images[2]!.data).toBe(ref('2'));
    const nothing = { images: [{ type: 'image', data: ref('0') }] };
    expect(restoreEntry(nothing, () => undefined).value).toBe(nothing);
  });

  it('passes other errors on', () => {
    const failing = (): never => {
      throw new SessionStoreError('storage_io', 'no disk');
    };
    expect(() => restoreEntry({ type: 'image', data: ref('0') }, failing)).toThrow('no disk');
  });

  it('bears 20,000 levels', () => {
    let value: object = { type: 'image', data: ref('0') };
    for (let i = 0; i < 20_000; i++) value = [value];
    let inner: unknown = restoreEntry(value, () => bytes).value;
    while (Array.isArray(inner)) inner = inner[0] as unknown;
    expect(inner).toEqual({ type: 'image', data: 'AQID' });
  });
});

describe('fromBase64', () => {
  it('reads exactly what toBase64 writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
  });

  it('refuses every text that its bytes would not give back', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'AZaz09+/=-_ \nü'), maxLength: 12 });
    fc.assert(
      fc.property(digits, (text) => {
        const canonical = Buffer.from(text, 'base64').toString('base64') === text;
        expect(fromBase64(text)).toEqual(canonical ? new Uint8Array(Buffer.from(text, 'base64')) : null);
      }),
      { numRuns: 5_000 },
    );
  });
});
