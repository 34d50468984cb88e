import { bash, bashFails, edit, grep, read } from './calls.ts';
import { DshTale, dshTaleId, todo } from './dsh-tale.ts';

const PROJECT = 'work/shop';
const NAME = 'Slow product search';
const TASK = 'Find every query on the products table that filters by name, and say whether an index can serve it.';

/** A session with a list of things to do, an approval, a sub-agent and a compaction; then what the sub-agent wrote, and a fork. */
export function productSearch(time: number): DshTale[] {
  const main = beginning(new DshTale({ form: 0, project: PROJECT, name: NAME, time }));
  main
    .user('Do it, but not in working hours: create the index concurrently.', 14)
    .step(
      'CREATE INDEX CONCURRENTLY cannot run inside a transaction, and the migration tool opens one.',
      'The migration must run outside a transaction.',
      edit(
        'db/migrations/0042_products_name_trgm.sql',
        1,
        'BEGIN;',
        '-- no-transaction',
        [],
        ['CREATE INDEX CONCURRENTLY products_name_trgm'],
      ),
      todo('x Measure', 'x Find the queries', '> Index', '  Measure again'),
    )
    .step('', '', {
      ...bash('npm run migrate -- --env staging', 'applied 0042_products_name_trgm (38.2 s)\n'),
      approval: 'allowed-once',
    })
    .step(
      '',
      'Measuring again:',
      bash('psql staging -f bench/search.sql', 'Bitmap Index Scan on products_name_trgm\nExecution Time: 6.113 ms\n'),
      todo('x Measure', 'x Find the queries', 'x Index', 'x Measure again'),
    )
    .answer('**6 ms instead of 840 ms** on staging. The index takes 212 MB; writes to `products` are about 4 % slower.')
    .compact(CHECKPOINT)
    .rename('Product search in 6 ms')
    .user('Can we also search in descriptions?', 31)
    .answer(
      'Yes, but not with this index: descriptions are long, a trigram index on them would be about 9 GB. Use `tsvector` with a generated column; it finds words, not parts of words.',
      'Trigrams on long texts are expensive. Full text search fits better.',
    );
  const fork = beginning(
    new DshTale({ form: 0, project: PROJECT, name: 'search engine', time: time + 4 * 3_600_000, copyOf: main }),
  )
    .leaveOriginal()
    .user('What if we used a search engine instead of an index?', 0)
    .answer(
      'Then two stores must agree. For 1.4 million products and one field that is more work than it saves; with facets and spelling in three languages I would answer differently.',
      'The honest answer depends on what comes next.',
    )
    .rename('Search engine instead of an index?', 'user');
  return [main, helper(main, time + 130_000), fork];
}

function beginning(tale: DshTale): DshTale {
  return tale
    .user(
      'The product search takes almost a second. Make it fast without a new service.',
      1,
      'Current runtime context.\n\nFile policy: workspace-write. Approval policy: ask.',
    )
    .step(
      'First measure, then look for the queries. A helper can read the code meanwhile.',
      'I measure first; a helper looks through the code meanwhile.',
      bash('psql staging -f bench/search.sql', 'Seq Scan on products  (rows=1412000)\nExecution Time: 840.527 ms\n'),
      todo('> Measure', '  Find the queries', '  Index', '  Measure again'),
      {
        tool: 'subagent',
        args: { description: 'Queries on products.name', prompt: TASK },
        out: FOUND,
        childId: dshTaleId('queries', true),
      },
    )
    .rename('Slow product search')
    .step(
      'ILIKE with a leading wildcard: a B-tree index cannot help.',
      '',
      read(
        'src/products/search.ts',
        "export const search = (q: string) =>\n  sql`SELECT id, name FROM products WHERE name ILIKE ${'%' + q + '%'} LIMIT 50`;\n",
      ),
      {
        ...bashFails('psql production -c "CREATE EXTENSION pg_trgm"', 'Error: the user rejected this command'),
        approval: 'rejected',
      },
    )
    .answer(
      "The search is `ILIKE '%…%'`, which no B-tree can serve. A **trigram index** can: `USING gin (name gin_trgm_ops)`. Shall I try it on staging?",
    );
}

/** What the sub-agent did. */
function helper(parent: DshTale, time: number): DshTale {
  return new DshTale({ form: 0, project: PROJECT, name: 'queries', time, delegated: { parent: parent.id, task: TASK } })
    .user(TASK, 0)
    .step('', '', grep('products', 'src', 'src/products/search.ts:2\nsrc/admin/list.ts:18\nsrc/feeds/export.ts:40\n'))
    .answer(FOUND);
}

const FOUND = `Three queries:

| file | filter | index |
|---|---|---|
| src/products/search.ts:2 | \`ILIKE '%q%'\` | none can, but trigrams |
| src/admin/list.ts:18 | \`name = $1\` | products_name |
| src/feeds/export.ts:40 | none | - |`;

const CHECKPOINT = `The product search was slow (840 ms, sequential scan) because of \`ILIKE '%q%'\`. A trigram index, created concurrently in migration 0042,
brought it to 6 ms on staging; it takes 212 MB. Production has not been touched.`;
