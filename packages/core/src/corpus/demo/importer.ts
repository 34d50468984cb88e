import { bash, bashFails, edit, grep, read, write } from './calls.ts';
import { Tale } from './tale.ts';

/** A long afternoon with two compactions. */
export function importer(time: number): Tale {
  const tale = new Tale({
    shapes: 'musepi',
    project: 'work/importer',
    title: 'Import large CSV files without loading them',
    time,
  });
  tale
    .user(
      'The importer dies with "heap out of memory" on the 3 GB file from the bank. Make it stream. Keep the row numbers in error messages.',
    )
    .step(
      '',
      'First the code and how it reads the file.',
      read('src/import.ts', IMPORT),
      bash('ls -lh data/', '-rw-r--r-- 1 ada ada  3.1G  bank-2025.csv\n-rw-r--r-- 1 ada ada   18K  sample.csv\n'),
    )
    .answer(PLAN)
    .user('Go. Commit after each step.', 2)
    .step(
      '',
      '',
      write('src/lines.ts', LINES),
      bash('git commit -qam "Read lines from chunks" && git log --oneline -1', '8b1f0c2 Read lines from chunks\n'),
    )
    .step(
      'Quoted fields may contain line breaks; the splitter must know about quotes.',
      'One thing before I go on: 214 rows of the sample have line breaks inside quotes. The splitter has to respect quotes.',
      bash('grep -c \'"[^"]*$\' data/sample.csv', '214\n'),
      edit(
        'src/lines.ts',
        9,
        '      if (byte === LF) yield take(i);',
        '      if (byte === QUOTE) quoted = !quoted;\n      else if (byte === LF && !quoted) yield take(i);',
        ['    for (let i = 0; i < chunk.length; i++) {', '      const byte = chunk[i];'],
        ['    }'],
      ),
    )
    .step('', '', bash('npx vitest run', green(38)))
    .answer('Lines come in pieces of 64 KB now, quotes are respected, 38 tests pass. Next: the parser works a line at a time.')
    .user('good. and what is our memory now?', 5)
    .mark('memory')
    .step(
      '',
      '',
      bash(
        'node --max-old-space-size=128 dist/cli.js data/bank-2025.csv --dry-run',
        'read 3,118,402,776 bytes, 24,120,551 rows\npeak RSS 96 MB, 41.2 s\n',
      ),
    )
    .answer('**96 MB** at the peak with a 128 MB heap, 41 s for the whole file (76 MB/s).')
    .compact('memory', 'Streaming reader done', FIRST, ['src/import.ts'], ['src/lines.ts'])
    .user('41 seconds is long. Where does the time go?', 3)
    .step('', '', bash('node --cpu-prof dist/cli.js data/bank-2025.csv --dry-run && node scripts/top.mjs', PROFILE))
    .answer('Almost half is `Number.parseFloat` on amounts that we only store as text. `new Date` per row is another fifth.')
    .user('Then parse neither until somebody asks.', 2)
    .step(
      '',
      '',
      edit(
        'src/row.ts',
        21,
        '  amount: Number.parseFloat(cells[3]),\n  booked: new Date(cells[1]),',
        '  get amount() {\n    return Number.parseFloat(cells[3]);\n  },\n  get booked() {\n    return new Date(cells[1]);\n  },',
        ['return {', '  account: cells[0],'],
        ['};'],
      ),
    )
    .step(
      '',
      '',
      bashFails(
        'npx vitest run',
        "\u001b[31m FAIL \u001b[39m test/export.test.ts > writes rows as JSON\n\u001b[31mAssertionError\u001b[39m: expected { account: 'DE02…' } to deeply equal { account: 'DE02…', amount: 12.5, … }\n\n Tests  \u001b[31m1 failed\u001b[39m | \u001b[32m37 passed\u001b[39m (38)\n",
      ),
    )
    .step(
      'Spread copies own enumerable values of getters... the exporter copies rows with a class instance? It uses structuredClone, which drops getters.',
      'The JSON export clones rows with `structuredClone`, which leaves accessors out. I give rows a `toJSON`.',
      edit(
        'src/row.ts',
        29,
        '};',
        '  toJSON() {\n    return { account: this.account, booked: this.booked, amount: this.amount };\n  },\n};',
      ),
      bash('npx vitest run', green(39)),
    )
    .answer('19 s now, 39 tests. The last quarter is the hash over the raw bytes, which you want to keep.')
    .user('Errors: what does a bad row look like to the user now?', 18)
    .mark('errors')
    .step(
      '',
      '',
      bash("printf 'a,b\\n1,\"2\\n' | node dist/cli.js - ; echo", 'error: row 2, byte 4: the quoted field is never closed\n'),
      grep('never closed', 'src', "src/errors.ts:12:  unclosed: 'the quoted field is never closed',\n"),
    )
    .answer(
      'Row number and byte offset, both counted from the start of the file. An unclosed quote names the row in which it *opens*, not the last one.',
    )
    .compact('errors', 'Lazy fields, 19 s', SECOND, ['scripts/top.mjs', 'src/errors.ts'], ['src/lines.ts', 'src/row.ts'])
    .user('Write the paragraph for the README.', 4)
    .step(
      '',
      '',
      edit(
        'README.md',
        40,
        '## Limits\n\nFiles up to 200 MB.',
        '## Limits\n\nFiles of any size: the importer reads 64 KB at a time and needs about 100 MB of memory. A quoted field may be at most 1 MB.',
      ),
    )
    .answer('Replaced the old limit of 200 MB by what is true now, including the 1 MB cap on a single field.');
  return tale;
}

const IMPORT = `export async function importFile(path: string): Promise<Report> {
  const text = await readFile(path, 'utf8');
  const rows = text.split('\\n').map((line, i) => parseRow(line, i + 1));
  return store(rows);
}
`;

const PLAN = `\`readFile\` holds the whole file, \`split\` holds it a second time, and \`rows\` a third. Plan:

1. \`lines.ts\`: an async generator that cuts chunks into lines
2. \`parseRow\` stays, fed with one line and its number
3. \`store\` takes an async iterable and writes in batches of 1,000

Row numbers come from a counter in step 1, so messages stay as they are.`;

const LINES = `const LF = 10;

/** Lines of a byte stream, without their LF. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (byte === LF) yield take(i);
    }
  }
}
`;

const FIRST = `## Goal
Import CSV files of any size in bounded memory; keep row numbers in errors.

## Done
- src/lines.ts cuts chunks into lines and respects quotes (214 rows of the sample have line breaks inside quotes)
- commit 8b1f0c2, 38 tests pass
- bank-2025.csv (3.1 GB, 24,120,551 rows): peak 96 MB, 41 s

## Open
- store() still collects a batch of 1,000 rows; fine for now
- speed was not looked at yet`;

const SECOND = `## Goal
Import CSV files of any size in bounded memory; keep row numbers in errors; be fast.

## Done
- streaming reader in src/lines.ts, peak memory 96 MB
- src/row.ts computes amount and booked only when asked; toJSON keeps the export working; 41 s became 19 s
- errors name row and byte offset

## Decisions
- the hash over the raw bytes stays although it costs a quarter of the time

## Open
- README still says files up to 200 MB`;

const PROFILE = ` ticks  share  function
 18311  44.9%  parseFloat
  8420  20.6%  Date (constructor)
  5210  12.8%  lines (src/lines.ts:6)
  4097  10.0%  update (node:crypto)
  1203   2.9%  parseRow (src/row.ts:11)
`;

function green(n: number): string {
  return `\n \u001b[32m✓\u001b[39m test \u001b[2m(${n} tests)\u001b[22m 640ms\n\n      Tests  \u001b[32m${n} passed\u001b[39m (${n})\n`;
}
