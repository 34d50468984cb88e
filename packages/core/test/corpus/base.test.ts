import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { base64 } from '../../src/corpus/base/base64.ts';
import { png } from '../../src/corpus/base/png.ts';
import { Random } from '../../src/corpus/base/random.ts';
import { sha256Hex } from '../../src/corpus/base/sha256.ts';
import { bucketName, sessionFileName, titleSlot, vocabulary } from '../../src/corpus/index.ts';

function bytes(length: number): Uint8Array {
  const random = new Random(length, 1);
  return Uint8Array.from({ length }, () => random.below(256));
}

describe('bytes', () => {
  it.each([0, 1, 2, 3, 55, 56, 63, 64, 65, 1000, 70_001])('hash and encode as Node does (%i bytes)', (length) => {
    const data = bytes(length);
    expect(sha256Hex(data)).toBe(createHash('sha256').update(data).digest('hex'));
    expect(base64(data)).toBe(Buffer.from(data).toString('base64'));
  });

  it('make a PNG that decodes to its pixels', () => {
    const data = Buffer.from(png({ width: 150, height: 160, pixel: (x, y) => (x << 16) | (y << 8) | 7 }));
    expect(data.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
    const length = data.readUInt32BE(33);
    expect(data.toString('latin1', 37, 41)).toBe('IDAT');
    const raw = inflateSync(data.subarray(41, 41 + length));
    expect(raw).toHaveLength((150 * 3 + 1) * 160);
    expect([...raw.subarray(451 * 2 + 1 + 9, 451 * 2 + 1 + 12)]).toEqual([3, 2, 7]);
    expect(data.toString('latin1', data.length - 8, data.length - 4)).toBe('IEND');
    expect(data.readUInt32BE(data.length - 4)).toBe(0xae426082);
  });
});

describe('bucketName', () => {
  it.each([
    ['musepi', '/home/ada', '-'],
    ['musepi', '/home/ada/src/app', '-src-app'],
    ['musepi', '/home/ada/项目/é', '-项目-é'],
    ['musepi', '/home/ada2/x', '--home-ada2-x--'],
    ['musepi', '/tmp', '-tmp'],
    ['musepi', '/tmp/a/b c', '-tmp-a-b c'],
    ['musepi', '/srv/www/site', '--srv-www-site--'],
    ['musepi', '/', '----'],
    ['pi', '/home/ada/src', '--home-ada-src--'],
    ['pi', '/', '----'],
    ['pi', '/opt/a:b', '--opt-a-b--'],
  ] as const)('%s %s is %s', (shapes, cwd, name) => {
    expect(bucketName(shapes, cwd, '/home/ada')).toBe(name);
  });

  it('names files by time and id', () => {
    expect(sessionFileName(Date.UTC(2026, 1, 16, 10, 20, 30, 4), 'x')).toBe('2026-02-16T10-20-30-004Z_x.jsonl');
  });
});

describe('titleSlot', () => {
  it.each(['', 'short', 'with "quotes" and \\', '修复登录页面'.repeat(30), '😀'.repeat(90)])(
    'takes 255 bytes before its LF (%s)',
    (title) => {
      const line = titleSlot(title, 'user', 0);
      expect(Buffer.byteLength(line)).toBe(255);
      const slot = JSON.parse(line) as { title: string };
      expect(title.startsWith(slot.title)).toBe(true);
      expect(slot.title).not.toMatch(/[\ud800-\udbff]$/);
    },
  );
});

describe('vocabulary', () => {
  it('has more than 100,000 distinct words', () => {
    expect(new Set(vocabulary()).size).toBeGreaterThan(100_000);
  });
});
