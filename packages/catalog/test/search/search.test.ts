import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DocWriter, type NewDoc } from '../../src/db/docs.ts';
import { openCatalog } from '../../src/db/open.ts';
import { fold, indexText, Matcher, parseQuery, PARTS, type Query } from '../../src/query/index.ts';
import { Search } from '../../src/search/search.ts';

const WORDS = [
  ...['error', 'Error-401', 'foo_bar_baz', 'a.b.c()', '--no-cache', 'C++', 'status:500', 'README.md', 'the', 'a', 'db', 'naïve'],
  ...[
    '用户身份',
    '悬空引用',
    '日本',
    '사람',
    '⭐️',
    '重跑gen后',
    'สวัสดี',
    'שלום',
    'Straße',
    '𝒳𝒴',
    '👍🏽',
    '─────',
    'e\u0301',
    'ẞ',
    '𠀋',
  ],
];
const COUNT = 600;

let folder: string;
let db: Database;
let search: Search;
let docs: (NewDoc & { session: number; text: string })[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-search-'));
  db = openCatalog(join(folder, 'catalog.db'));
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  docs = Array.from({ length: COUNT }, (_, i) => ({
    session: 1 + random(5),
    row: i,
    entryId: `e${String(i)}`,
    part: PARTS[random(PARTS.length)]!,
    role: ['user', 'assistant', 'toolResult'][random(3)]!,
    type: 'message',
    tool: random(3) === 0 ? 'bash' : null,
    isError: random(7) === 0,
    time: 1_700_000_000_000 + random(50) * 86_400_000,
    text: Array.from({ length: 1 + random(12) }, () => WORDS[random(WORDS.length)]!).join([' ', '\n', ', ', ''][random(4)]),
  }));
  const writer = new DocWriter(db);
  const session = db.prepare('INSERT INTO session (id, key, root, row, cwd, title, native) VALUES (?, ?, ?, ?, ?, ?, ?)');
  db.transaction(() => {
    for (let id = 1; id <= 5; id++)
      session.run(id, `k${String(id)}`, 'root', '{}', `/w/Project ${String(id)}`, `Title ${String(id)}`, `id${String(id)}`);
    for (const doc of docs) writer.add(doc.session, [doc], 0);
  })();
  search = new Search(db);
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function query(text: string): Query | null {
  const parsed = parseQuery(text);
  return 'error' in parsed ? null : parsed.query;
}

/** All hits by pages. */
function found(asked: Query, sort: 'newest' | 'ranked', limit = 7): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = search.search({ query: asked, sort, limit, cursor });
    for (const hit of answer.hits) {
      ids.push(hit.entryId!);
      for (const [start, end] of hit.snippet.matches) expect(hit.snippet.text.slice(start, end).trim()).not.toBe('');
    }
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

/** What a look at every document answers. */
function scanned(asked: Query): string[] {
  const matcher = new Matcher(asked);
  return docs
    .filter((doc) =>
      matcher.matches(doc.text, (filter) => {
        if (filter.name === 'in') return doc.part === filter.value;
        if (filter.name === 'role') return doc.role.toLowerCase() === filter.value.toLowerCase();
        if (filter.name === 'tool') return doc.tool === filter.value;
        if (filter.name === 'is') return filter.value === 'error' ? doc.isError : filter.value === 'active';
        if (filter.name === 'before') return doc.time! < filter.time;
        if (filter.name === 'after') return doc.time! >= filter.time;
        if (filter.name === 'project') return `project ${String(doc.session)}`.includes(filter.value.toLowerCase());
        return false;
      }),
    )
    .map((doc) => doc.entryId!)
    .sort();
}

const QUERIES = [
  ...[
    'error',
    'err',
    'err*',
    '悬空',
    '引用',
    '用户',
    '日本',
    '사람',
    '⭐️',
    'bar',
    'foo_bar',
    'a.b.c',
    'b.c',
    '--no-cache',
    'c++',
    'error-401',
  ],
  ...[
    'db',
    'gen',
    'naive',
    'é',
    'strasse',
    '𝒳𝒴',
    '𝒳',
    'สวัส',
    'שלום',
    'sub:ror',
    'sub:o_b',
    'sub:户',
    're:/[ce]r+or/i',
    '"the a"',
    '-error',
  ],
  ...[
    'error -db',
    'error OR db',
    '(用户 OR 日本) -"C++"',
    'in:prompt error',
    'role:user -in:output',
    'is:error db',
    'project:"project 3" a',
    '─',
  ],
  ...[
    'after:2023-12-01 error',
    'before:2023-12-01',
    'after:2023-12-01 OR db',
    '-(error db)',
    'tool:bash',
    '--',
    '+',
    'e',
    '𠀋',
    '',
    'zzz',
    '👍',
  ],
];

describe('search', () => {
  it.each(QUERIES)('%s answers what a look at every document answers', (text) => {
    const asked = query(text);
    const expected = scanned(asked);
    expect(found(asked, 'newest').sort()).toEqual(expected);
    expect(found(asked, 'ranked').sort()).toEqual(expected);
  });

  it('takes every letter and number for a word, as the index does', () => {
    const chars: string[] = [];
    for (let code = 0x20; code < 0x2_0000; code++) if (code < 0xd800 || code > 0xdfff) chars.push(String.fromCodePoint(code));
    const tokens = new Set(chars.flatMap((char) => indexText(fold(char).text).split(' ')).filter((token) => token !== ''));
    db.exec('CREATE VIRTUAL TABLE probe USING fts5(text, tokenize="unicode61 remove_diacritics 0 categories \'L* N* Co M*\'")');
    const insert = db.prepare('INSERT INTO probe (rowid, text) VALUES (?, ?)');
    const list = [...tokens];
    db.transaction(() => list.forEach((token, i) => insert.run(i + 1, `x${token}x`)))();
    db.exec("CREATE VIRTUAL TABLE probe_term USING fts5vocab(probe, 'row')");
    const split = db.prepare('SELECT term FROM probe_term WHERE length(term) < 3').pluck().all();
    db.exec('DROP TABLE probe_term; DROP TABLE probe');
    // Whatever the index took for a separator would have left a lone x.
    expect(split).toEqual([]);
  });

  it('answers the newest first', () => {
    const { hits, total } = search.search({ query: query('error'), sort: 'newest', limit: 500 });
    const times = hits.map(({ time }) => time!);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(total).toEqual({ value: hits.length, exact: true });
  });

  it('queries of any kind', () => {
    const piece = fc.constantFrom(
      ...WORDS,
      ...WORDS.map((word) => word.slice(0, 3)),
      'OR',
      '-',
      '(',
      ')',
      '"',
      'in:prompt',
      'sub:',
      '*',
      'is:error',
    );
    const glue = fc.constantFrom('', ' ', ' ', ' ');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, glue), { maxLength: 6 }), (parts) => {
        const asked = query(parts.flat().join(''));
        expect(found(asked, 'newest', 100).sort()).toEqual(scanned(asked));
      }),
      { numRuns: 800 },
    );
  }, 60_000);

  it('pages stay as they were while documents come in', () => {
    const before = found(query('error'), 'newest');
    const first = search.search({ query: query('error'), sort: 'newest', limit: 10 });
    const writer = new DocWriter(db);
    const late = { ...docs[0]!, entryId: 'late', text: 'error', time: 1_900_000_000_000 };
    db.transaction(() => writer.add(1, [late], 0))();
    const second = search.search({ query: query('error'), sort: 'newest', limit: 10, cursor: first.nextCursor! });
    expect([...first.hits, ...second.hits].map(({ entryId }) => entryId)).toEqual(before.slice(0, 20));
    db.transaction(() => writer.remove(1, late.row))();
    db.transaction(() => {
      for (const doc of docs.filter(({ session }) => session === 1)) writer.remove(1, doc.row);
      for (const doc of docs.filter(({ session }) => session === 1)) writer.add(1, [doc], 0);
    })();
    expect(found(query('error'), 'newest').sort()).toEqual(before.sort());
  });
});
