import { bash, bashFails, edit, grep, read } from './calls.ts';
import { DshTale, todo } from './dsh-tale.ts';
import { barChart } from './pictures.ts';

/** Chinese, in the newest form: an attempt that broke off, a stop, a change of mind. */
export function streamingExport(time: number): DshTale {
  return new DshTale({ form: 4, project: 'work/报表', name: '导出改成流式', time })
    .user('导出十万行订单时进程内存涨到 3 GB。改成流式，接口不要变。', 1, '当前环境：文件策略 workspace-write，审批策略 ask。', {
      name: '内存.png',
      bytes: barChart([0.08, 0.1, 0.3, 0.62, 0.85, 1, 0.1]),
    })
    .retry('connection reset', '我先看一下')
    .step(
      '先看导出接口和数据库游标的用法，再决定从哪里切开。',
      '先看现在是怎么写的：',
      read(
        'src/export/orders.ts',
        'export async function exportOrders(res: Response) {\n  const rows = await db.query(ALL_ORDERS);\n  res.end(toCsv(rows));\n}\n',
      ),
      grep('toCsv', 'src', 'src/export/orders.ts:3\nsrc/export/invoices.ts:7\n'),
      todo('> 找出内存去了哪里', '  改用游标', '  加上背压', '  测一遍'),
    )
    .rename('订单导出改成流式')
    .step(
      '整个结果集都在内存里，CSV 字符串又是一份。用游标每次取一千行，写满就等 drain。',
      '所有行和整个 CSV 同时在内存里。改成游标，一次一千行：',
      edit(
        'src/export/orders.ts',
        2,
        '  const rows = await db.query(ALL_ORDERS);\n  res.end(toCsv(rows));',
        '  for await (const rows of db.cursor(ALL_ORDERS, 1000)) {\n    if (!res.write(toCsv(rows))) await once(res, "drain");\n  }\n  res.end();',
      ),
      todo('x 找出内存去了哪里', 'x 改用游标', 'x 加上背压', '> 测一遍'),
    )
    .step(
      '',
      '',
      bashFails('npx vitest run export', ' FAIL  src/export/orders.test.ts > 第一行是表头\nAssertionError: 表头出现了 101 次\n'),
    )
    .step(
      '每一批都写了表头。表头应该只写一次。',
      '每一批都带了表头，只在第一批写：',
      edit('src/export/orders.ts', 3, 'toCsv(rows)', 'toCsv(rows, { header: first })'),
      bash('npx vitest run export && node bench/export.mjs', ' Tests  9 passed (9)\n100000 rows, peak 84 MB, 2.1 s\n'),
    )
    .answer('完成：十万行时内存峰值 **84 MB**（原来 3 GB），耗时 2.1 秒，接口没有变。`invoices.ts` 有同样的问题，要一起改吗？')
    .user('要。', 2)
    .stop('好的，发票导出和订单导出几乎一样，不过它还要先算每张发票的合计，所以', 0.7)
    .user('先停，发票下周再做。把这次的结论写进文档。', 5)
    .step('', '', edit('docs/export.md', 12, '## 限制', '## 内存\n\n导出是流式的：一次一千行，写不动时等待。\n\n## 限制'))
    .answer('写好了，在 `docs/export.md` 的“内存”一节。')
    .command('cost', '41,208 tokens, ¥0.09');
}

/** The harness was gone while a command ran. */
export function migration(time: number): DshTale {
  return new DshTale({ form: 4, project: 'work/shop', name: 'Migrate the order numbers', time })
    .user('Order numbers become strings. Write the migration and run it on staging.', 1)
    .step('A new column, copy, swap; the old one stays for a week.', 'Three steps: new column, copy in lots of 10,000, swap.', {
      tool: 'write',
      args: { path: 'db/migrations/0043_order_numbers.sql', content: 'ALTER TABLE orders ADD COLUMN number_text text;' },
      out: 'Wrote 47 bytes.',
    })
    .rename('Order numbers become strings')
    .step('', 'Running it on staging now.', {
      tool: 'bash',
      args: { command: 'npm run migrate -- --env staging' },
      approval: 'allowed-once',
    });
}

/** The provider said no. */
export function overloaded(time: number): DshTale {
  return new DshTale({ form: 2, project: 'work/infra', name: 'Rotate the certificates', time })
    .user('Which certificates run out this month?', 1)
    .step('', '', bash('node scripts/certs.mjs --within 31d', 'shop.example    12 days\nmail.example    29 days\n'))
    .answer('Two: `shop.example` in 12 days and `mail.example` in 29.')
    .user('Rotate the first.', 3)
    .fail('the service is overloaded, try again later', 'SERVER', 503);
}
