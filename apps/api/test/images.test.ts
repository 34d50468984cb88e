import { describe, expect, it } from 'vitest';

import { sniffImage } from '../src/http/images.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('sniffImage', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n....'],
    ['image/jpeg', '\xff\xd8\xff\xe0....'],
    ['image/gif', 'GIF89a....'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x20ftypavif\0\0'],
    ['image/bmp', `BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0........`],
  ])('knows %s', (type, content) => {
    expect(sniffImage(bytes(content))).toBe(type);
  });

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<!doctype html><script>alert(1)</script>',
    'BM is how this text begins, and it is no bitmap',
    'GIF8',
    'RIFF....WAVE',
    '%PDF-1.7',
    '',
  ])('takes %j for no image', (content) => {
    expect(sniffImage(bytes(content))).toBeNull();
  });
});
