import { DEFAULT_HOME } from '../options.ts';
import { MODELS } from '../session/models.ts';
import { bash, bashFails, edit, read, write } from './calls.ts';
import { barChart } from './pictures.ts';
import { Tale } from './tale.ts';

const PROJECT = 'work/reports';

/** A slow query with labels set, moved and cleared, in Pi's shapes. */
export function reports(time: number): Tale {
  const tale = new Tale({ shapes: 'pi', project: PROJECT, title: 'Monthly report takes nine seconds', time });
  return story(tale)
    .label('plan', 'start here')
    .user('Add the index in a migration, concurrently, and show me the plan again.', 3)
    .mark('index')
    .step('', '', write('migrations/0042_invoices_period.sql', MIGRATION), bash('make migrate && psql -f slow.sql', PLAN_AFTER))
    .answer('**9.1 s → 0.21 s.** The scan over `invoices` is an index scan now; the sort fits into memory.')
    .label('index', 'fast enough')
    .user(
      'And with last year, where there is ten times the data?',
      8,
      barChart([0.2, 0.25, 0.22, 0.4, 0.38, 0.5, 0.72, 0.7, 0.66, 0.8, 0.95, 1]),
    )
    .mark('year')
    .step('', '', bash('psql -v year=2025 -f slow.sql | tail -2', ' Planning Time: 0.4 ms\n Execution Time: 1882.6 ms\n'))
    .answer('1.9 s for the whole year. It grows with the rows of the period, as it should, and no longer with the table.')
    .label('year', 'fast enough')
    .label('index')
    .label('plan', 'the plan before')
    .user('Good enough. Commit.', 2)
    .step('', '', bash('git commit -qam "Index invoices by period" && git push -q', '(no output)'))
    .answer('Committed and pushed.');
}

/** A fork of the session above, in a file of its own: it starts with the same entries and goes another way. */
export function materialised(of: Tale, time: number): Tale {
  const parentSession = `${DEFAULT_HOME}/.pi/agent/${of.path.replace(/^pi\//, '')}`;
  const title = 'Monthly report as a materialised view';
  const tale = new Tale({ shapes: 'pi', project: PROJECT, title, time, parentSession, copyOf: of });
  return story(tale)
    .leaveOriginal()
    .rename(title)
    .switchTo(MODELS[1] ?? MODELS[0])
    .label('plan', 'start here')
    .user('Instead of the index: a materialised view, refreshed every night. Try it on a branch.', 15)
    .step(
      '',
      '',
      write('migrations/0042_monthly_totals.sql', VIEW),
      bashFails(
        'make migrate',
        'psql:migrations/0042_monthly_totals.sql:9: ERROR:  cannot refresh materialized view "monthly_totals" concurrently\nHINT:  Create a unique index with no WHERE clause on one or more columns of the materialized view.\n',
        2,
      ),
    )
    .step(
      '',
      'A concurrent refresh needs a unique index.',
      edit(
        'migrations/0042_monthly_totals.sql',
        8,
        'GROUP BY 1, 2;',
        'GROUP BY 1, 2;\nCREATE UNIQUE INDEX monthly_totals_key ON monthly_totals (customer, month);',
      ),
      bash('make migrate && psql -c "SELECT count(*) FROM monthly_totals"', ' count\n-------\n 48211\n(1 row)\n'),
    )
    .answer(
      'The report reads 48,211 rows in **4 ms**. The price: figures are those of last night, and the refresh takes 12 s. For invoices that change after the fact I would rather keep the index.',
    );
}

/** What both sessions begin with. */
function story(tale: Tale): Tale {
  return tale
    .user('The monthly report page takes 9 s. The query is in slow.sql. Do not touch the page, only the database.')
    .step('', 'The plan first.', read('slow.sql', QUERY), bash('psql -f slow.sql', PLAN_BEFORE))
    .mark('plan')
    .answer(DIAGNOSIS)
    .shell(
      'psql -c "\\d invoices" | tail -4',
      'Indexes:\n    "invoices_pkey" PRIMARY KEY, btree (id)\n    "invoices_customer" btree (customer)\n',
    );
}

const QUERY = `EXPLAIN (ANALYZE, BUFFERS)
SELECT customer, date_trunc('month', issued) AS month, sum(amount)
FROM invoices
WHERE issued >= make_date(:year, 1, 1) AND issued < make_date(:year + 1, 1, 1)
GROUP BY 1, 2
ORDER BY 2, 3 DESC;
`;

const PLAN_BEFORE = ` Sort  (cost=812455.10..813004.22 rows=219648) (actual time=9012.4..9088.1 rows=48211 loops=1)
   Sort Method: external merge  Disk: 3120kB
   ->  HashAggregate (actual time=8610.0..8899.7 rows=48211 loops=1)
         ->  Seq Scan on invoices (actual time=0.03..7204.9 rows=1904411 loops=1)
               Rows Removed by Filter: 31440920
 Execution Time: 9101.3 ms
`;

const PLAN_AFTER = ` Sort (actual time=201.0..204.4 rows=48211 loops=1)
   Sort Method: quicksort  Memory: 5012kB
   ->  HashAggregate (actual time=170.2..188.6 rows=48211 loops=1)
         ->  Index Only Scan using invoices_period on invoices (actual time=0.05..96.3 rows=1904411 loops=1)
 Execution Time: 208.8 ms
`;

const DIAGNOSIS = `The database reads **33 million** rows to keep 1.9 million: there is no index that starts with \`issued\`. Then the sort spills 3 MB to disk.

\`\`\`sql
CREATE INDEX CONCURRENTLY invoices_period ON invoices (issued) INCLUDE (customer, amount);
\`\`\`

With \`INCLUDE\` the table itself is not needed. About 1.1 GB on disk.`;

const MIGRATION = `-- no-transaction
CREATE INDEX CONCURRENTLY invoices_period ON invoices (issued) INCLUDE (customer, amount);
SET work_mem = '16MB';
`;

const VIEW = `CREATE MATERIALIZED VIEW monthly_totals AS
SELECT customer, date_trunc('month', issued) AS month, sum(amount) AS total
FROM invoices
GROUP BY 1, 2;
REFRESH MATERIALIZED VIEW CONCURRENTLY monthly_totals;
`;
