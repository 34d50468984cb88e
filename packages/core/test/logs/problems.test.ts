import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  FaultDisk,
  NodeDisk,
  openRoot,
  PROBLEM_CODES,
  problem,
  SessionDecoder,
  type Problem,
  type ProblemCode,
} from '../../src/index.ts';
import { session } from '../../src/testing/index.ts';
import { temporaryFolder, writeFiles } from '../store/node-fixture.ts';

const HEADER = session().text();
const line = (fields: object): string => `${JSON.stringify({ type: 'custom', ...fields })}\n`;

/** A log of events. */
function events(header: object, ...rows: object[]): string {
  const first = { type: 'session', version: 0, id: 's', createdAt: 0, delegationDepth: 0, ...header };
  return [first, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** The smallest file for every problem that decoding can find. */
const BY_DECODING: Partial<Record<ProblemCode, string | Uint8Array>> = {
  bad_json: `${HEADER}not json\n`,
  not_an_object: `${HEADER}[1]\n`,
  missing_type: `${HEADER}{"id":"x"}\n`,
  line_too_long: `${HEADER}${line({ id: 'x', data: 'y'.repeat(2000) })}`,
  torn_tail: `${HEADER}{"type":"cus`,
  nul_bytes: `${HEADER}\0\0\0\n`,
  split_record: `${HEADER}{"type":"custom","id":"x","parentId":null,"data":"two\nlines"}\n`,
  glued_records: `${HEADER}${line({ id: 'x', parentId: null }).trim()}${line({ id: 'y', parentId: null })}`,
  invalid_utf8: Uint8Array.from([...Buffer.from(`${HEADER}{"type":"custom","id":"x","data":"`), 0xff, ...Buffer.from('"}\n')]),
  byte_order_mark: `\ufeff${HEADER}`,
  header_missing: line({ id: 'x' }),
  header_repeated: `${HEADER}${HEADER}`,
  newer_version: session({ version: 4 }).text(),
  missing_id: `${HEADER}${line({})}`,
  duplicate_id: `${HEADER}${line({ id: 'x' })}${line({ id: 'x' })}`,
  missing_parent: `${HEADER}${line({ id: 'x', parentId: 'y' })}`,
  parent_cycle: `${HEADER}${line({ id: 'x', parentId: 'x' })}`,
  label_target_missing: session().user('a').label('nobody', 'x').text(),
  header_invalid: events({ createdAt: 1.5 }),
  seq_gap: events({}, { type: 'turn/start', seq: 1, time: 0, data: {} }),
  seq_repeated: events({}, { type: 'turn/start', seq: 0, time: 0, data: {} }, { type: 'turn/end', seq: 0, time: 0, data: {} }),
  bad_row: events(
    {},
    { type: 'text-chunks', seq0: 0, time0: 0, data: { turn: 1, step: 1, index: 0, dt: [], texts: ['a', 'b'] } },
  ),
  kept_entry_missing: session().user('a').compaction('s', 'nobody').text(),
};

function decoded(source: string | Uint8Array): Problem[] {
  const decoder = new SessionDecoder({ maxLineBytes: 1000 });
  decoder.push(typeof source === 'string' ? new TextEncoder().encode(source) : source);
  decoder.settle();
  expect(decoder.problemsTotal).toBe(decoder.problems.length);
  return decoder.problems;
}

async function scanned(): Promise<Problem[]> {
  const base = temporaryFolder();
  writeFiles(base, { 'locked/one.jsonl': HEADER });
  symlinkSync('/', path.join(base, 'link'));
  const disk = new FaultDisk(new NodeDisk(), (operation, at) =>
    operation === 'readdir' && at.endsWith('locked') ? { error: 'EACCES' } : null,
  );
  return (await (await openRoot({ path: base }, disk)).scan()).problems;
}

/** Said by others: of the row in a list, of blobs that are looked up, of a file that changes while it is read. */
const ELSEWHERE: ProblemCode[] = [
  'not_a_session',
  'blob_missing',
  'blob_corrupt',
  'changed_while_reading',
  'misplaced_session',
  'flat_session',
  'session_repeated',
  'two_encodings',
  'version_mismatch',
  'frame_damaged',
  'frame_torn',
  'unsupported_format',
];

describe('problems', () => {
  it.each(Object.entries(BY_DECODING))('%s is found in its smallest file, alone and at its place', (code, source) => {
    const found = decoded(source);
    expect(found.map((each) => each.code)).toEqual([code]);
    const [first] = found;
    expect(first).toMatchObject({ line: expect.any(Number) as number, byteOffset: expect.any(Number) as number });
    const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
    const before = new TextDecoder().decode(bytes.subarray(0, first!.byteOffset));
    expect(before.split('\n')).toHaveLength(first!.line!);
  });

  it('of scanning are found as well', async () => {
    const codes = (await scanned()).map((found) => found.code);
    expect(codes.sort()).toEqual(['link_skipped', 'unreadable']);
  });

  it('are all found by some test here, or said elsewhere', async () => {
    const codes = [...Object.keys(BY_DECODING), ...(await scanned()).map((found) => found.code), ...ELSEWHERE];
    expect(codes.sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it('always have the severity of their code, and a sentence', () => {
    for (const code of PROBLEM_CODES) {
      expect(problem(code, 'A sentence.', { line: 3 })).toMatchObject({
        code,
        message: 'A sentence.',
        line: 3,
        severity: expect.stringMatching(/^(info|warning|error)$/) as string,
      });
    }
    for (const source of Object.values(BY_DECODING))
      for (const { message } of decoded(source)) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it('about an entry name it', () => {
    for (const code of [
      'duplicate_id',
      'missing_parent',
      'parent_cycle',
      'label_target_missing',
      'kept_entry_missing',
    ] as const) {
      expect(decoded(BY_DECODING[code]!)[0]?.entryId).toMatch(/^(x|x~2|e2)$/);
    }
  });
});
