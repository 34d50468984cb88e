import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { prepareEntry } from '../../src/persist/prepare.ts';

const NOTICE = '\n\n[Session persistence truncated large content]';
const BYTES = Uint8Array.from({ length: 768 }, (_, i) => (i * 31) & 255);
/** 1,024 characters of base64. */
const BASE64 = Buffer.from(BYTES).toString('base64');
const LONG = 'x'.repeat(500_001);
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const refTo = (bytes: Uint8Array | string): string => `blob:sha256:${hashOf(bytes)}`;
const image = (data: string): object => ({ type: 'image', data, mimeType: 'image/png' });

/** What is stored of a value, and the blobs. The value is frozen: a change of it fails. */
function prepared(value: object): { stored: unknown; blobs: Map<string, Uint8Array> } {
  const blobs = new Map<string, Uint8Array>();
  const putBlob = (bytes: Uint8Array): string => {
    const hash = hashOf(bytes);
    blobs.set(hash, bytes);
    return hash;
  };
  const stored = prepareEntry(deepFreeze(value), { putBlob });
  expect(prepareEntry(stored, { putBlob }), 'prepared again').toBe(stored);
  return { stored, blobs };
}

function deepFreeze<T extends object>(root: T): T {
  for (const pending: object[] = [root]; pending.length > 0;) {
    const next = pending.pop()!;
    Object.freeze(next);
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) pending.push(inner as object);
  }
  return root;
}

/** oh-my-pi.md 9 and worked cases 63, 64. */
describe('long texts', () => {
  it.each<[string, string, string]>([
    ['500,000 characters stay', 'y'.repeat(500_000), 'y'.repeat(500_000)],
    ['one more is cut to 500,000 with the notice', 'y'.repeat(500_001), 'y'.repeat(499_953) + NOTICE],
    ['a character of two units is not split', 'y'.repeat(499_952) + '😀'.repeat(30), 'y'.repeat(499_952) + NOTICE],
    ['one that ends at the cut is whole', 'y'.repeat(499_951) + '😀'.repeat(30), 'y'.repeat(499_951) + '😀' + NOTICE],
  ])('%s', (_, text, expected) => {
    expect(prepared({ message: { content: [{ type: 'text', text }] } }).stored).toEqual({
      message: { content: [{ type: 'text', text: expected }] },
    });
    expect(prepared({ deep: [[text, 1]] }).stored).toEqual({ deep: [[expected, 1]] });
  });

  it('lines are counted anew where the content was cut, and nowhere else', () => {
    const content = 'line of fifty nine characters'.padEnd(59, '.').concat('\n').repeat(10_000);
    const { stored } = prepared({
      details: { content, lineCount: 10_001, other: { content: 'a\n', lineCount: 1, partialJson: '' } },
    });
    const { details } = stored as { details: { content: string; lineCount: number; other: object } };
    expect(details.content).toHaveLength(500_000);
    expect(details.lineCount).toBe(details.content.split('\n').length);
    expect(details.lineCount).toBeLessThan(10_001);
    expect(details.other).toEqual({ content: 'a\n', lineCount: 1 });
  });
});

describe('passing fields', () => {
  it('go, at every depth', () => {
    const value = {
      partialJson: 'x',
      message: {
        content: [{ type: 'toolCall', partialJson: '{', id: 'c', arguments: {} }],
        details: { jsonlEvents: [1], kept: 1 },
      },
    };
    expect(prepared(value).stored).toEqual({
      message: { content: [{ type: 'toolCall', id: 'c', arguments: {} }], details: { kept: 1 } },
    });
  });
});

describe('what is worth nothing when cut or changed', () => {
  it.each<[string, object]>([
    ['signed text', { type: 'text', text: LONG, textSignature: 's' }],
    ['signed thinking', { type: 'thinking', thinking: LONG, thinkingSignature: LONG }],
    [
      'a signed call',
      { type: 'toolCall', arguments: { text: LONG, image: image(BASE64), partialJson: '' }, thoughtSignature: 's' },
    ],
    ['redacted thinking', { type: 'redactedThinking', data: LONG }],
    ['encrypted reasoning', { type: 'reasoning', encrypted_content: LONG, summary: [LONG] }],
    ['the call of a tool that the provider runs', { type: 'server_tool_use', id: 'srv', input: { query: LONG } }],
    ['its result', { type: 'web_search_tool_result', tool_use_id: 'srv', content: [{ encrypted_content: LONG, text: LONG }] }],
    ['a signature in a block that is not signed as a whole', { type: 'x', thinkingSignature: LONG }],
    ['an image that is no base64', image(`${LONG}!`)],
    ['an attachment', { type: 'base64', media_type: 'application/pdf', data: LONG }],
    ['the address of an image under another key', { image_url: { url: `data:image/png;base64,${LONG}` } }],
    ['addresses of images in a list', { image_url: [`data:image/png;base64,${LONG}`] }],
  ])('%s', (_, block) => {
    const entry = { message: { content: [block] } };
    const { stored, blobs } = prepared(entry);
    expect(stored).toBe(entry);
    expect(blobs.size).toBe(0);
  });

  it.each<[string, object]>([
    ['text that is not signed', { type: 'text', text: LONG, textSignature: '' }],
    ['text as data', { mimeType: 'text/plain', data: LONG }],
    ['data of no kind', { data: LONG }],
  ])('but %s is cut', (_, block) => {
    expect(JSON.stringify(prepared({ message: { content: [block] } }).stored).length).toBeLessThan(500_100 + 100);
  });
});

/** Worked cases 66 to 68, complaints 33 and 34. */
describe('images', () => {
  it.each<[string, object, object]>([
    ['in content', { content: [image(BASE64)] }, { content: [image(refTo(BYTES))] }],
    [
      'of a tool result',
      { details: { images: [{ data: BASE64, mimeType: 'image/webp' }] } },
      { details: { images: [{ data: refTo(BYTES), mimeType: 'image/webp' }] } },
    ],
    [
      'frames of an archive',
      { preserveData: { archive: { frames: [image(BASE64)] } } },
      { preserveData: { archive: { frames: [image(refTo(BYTES))] } } },
    ],
    ['under any other key', { screenshot: image(BASE64) }, { screenshot: image(refTo(BYTES)) }],
    ['of generation', { type: 'image_generation_call', result: BASE64 }, { type: 'image_generation_call', result: refTo(BYTES) }],
  ])('%s', (_, value, expected) => {
    const { stored, blobs } = prepared(value);
    expect(stored).toEqual(expected);
    expect([...blobs]).toEqual([[hashOf(BYTES), BYTES]]);
  });

  it('stay inline under 1,024 characters', () => {
    const value = { content: [image(Buffer.from(BYTES.subarray(0, 765)).toString('base64'))] };
    expect(prepared(value).stored).toBe(value);
    expect(prepared({ content: [image(BASE64.slice(0, 1023))] }).blobs.size).toBe(0);
  });

  it('far over the limit for texts become blobs, too', () => {
    const bytes = new Uint8Array(600_000).fill(7);
    const { stored, blobs } = prepared({ shots: [{ mimeType: 'image/png', data: Buffer.from(bytes).toString('base64') }] });
    expect(stored).toEqual({ shots: [{ mimeType: 'image/png', data: refTo(bytes) }] });
    expect(blobs.size).toBe(1);
  });

  it('that are the same are one blob', () => {
    expect(prepared({ content: [image(BASE64), image(BASE64)] }).blobs.size).toBe(1);
  });

  it.each(['data:image/png;base64,AA', `data:image/png;charset=x;base64,${BASE64}`, 'data:image/png;base64,ü'])(
    'as an address are blobs of its text at any length: %.30s',
    (url) => {
      const { stored, blobs } = prepared({ history: [{ type: 'input_image', image_url: url }] });
      expect(stored).toEqual({ history: [{ type: 'input_image', image_url: refTo(url) }] });
      expect([...blobs.values()].map((bytes) => Buffer.from(bytes).toString())).toEqual([url]);
    },
  );

  it.each<[string, object]>([
    ['base64 with line ends', image(`${BASE64.slice(0, 76)}\n${BASE64.slice(76)}`)],
    ['base64 of URLs', image('-'.repeat(1024))],
    ['base64 without padding', image(`${BASE64}AA`)],
    ['base64 with stray bits', image(`${BASE64}AB==`)],
    ['an address of the network', { image_url: 'https://example.org/a.png' }],
    ['an address with half a character', { image_url: `data:image/png;base64,\ud83d` }],
    ['an address that is not base64', { image_url: 'data:image/svg+xml,<svg/>' }],
    ['data of something else', { type: 'audio', data: BASE64 }],
    ['a result of something else', { type: 'toolResult', result: BASE64 }],
    ['a reference', image(refTo(BYTES))],
  ])('stay inline where a blob would not give them back: %s', (_, block) => {
    const entry = { content: [block] };
    const { stored, blobs } = prepared(entry);
    expect(stored).toBe(entry);
    expect(blobs.size).toBe(0);
  });

  it('fail with the store, before there is a line that refers to them', () => {
    const full = new Error('disk full');
    const putBlob = (): string => {
      throw full;
    };
    expect(() => prepareEntry({ content: [image(BASE64)] }, { putBlob })).toThrow(full);
  });
});

describe('values of any form', () => {
  it('is the same object when nothing is to be changed', () => {
    const entry = {
      type: 'message',
      id: 'a',
      parentId: null,
      message: { role: 'user', content: 'hello', list: [1, null, true] },
    };
    expect(prepared(entry).stored).toBe(entry);
  });

  it('copies what changes and shares the rest', () => {
    const entry = {
      same: { a: 1 },
      message: {
        also: [1],
        content: [
          { type: 'text', text: 'a' },
          { partialJson: 1, b: { c: 1 } },
        ],
      },
    };
    const stored = prepared(entry).stored as typeof entry;
    expect(stored.same).toBe(entry.same);
    expect(stored.message.also).toBe(entry.message.also);
    expect(stored.message.content[0]).toBe(entry.message.content[0]);
    expect(stored.message.content[1]!.b).toBe(entry.message.content[1]!.b);
    expect(stored).toEqual({ same: { a: 1 }, message: { also: [1], content: [{ type: 'text', text: 'a' }, { b: { c: 1 } }] } });
  });

  it('keeps the order of fields, and one called __proto__', () => {
    const entry = JSON.parse(`{"z":1,"__proto__":{"partialJson":1,"y":2},"a":{"jsonlEvents":1}}`) as object;
    expect(JSON.stringify(prepared(entry).stored)).toBe('{"z":1,"__proto__":{"y":2},"a":{}}');
  });

  it('bears 20,000 levels', () => {
    let value: object = { partialJson: 1, end: true };
    for (let i = 0; i < 20_000; i++) value = [value];
    let inner = prepared(value).stored;
    while (Array.isArray(inner)) inner = inner[0] as unknown;
    expect(inner).toEqual({ end: true });
  });

  it('refuses an entry that contains itself, as JSON does', () => {
    const entry: Record<string, unknown> = { type: 'custom' };
    entry['data'] = { back: [entry] };
    expect(() => prepareEntry(entry, { putBlob: () => '' })).toThrow(TypeError);
  });

  it('takes as it is what makes its own JSON', () => {
    const entry = { date: new Date(0), bytes: Buffer.from('ab'), url: new URL('https://example.org') };
    expect(prepareEntry(entry, { putBlob: () => '' })).toBe(entry);
  });
});
