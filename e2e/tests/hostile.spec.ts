import { Command } from '../support/command.ts';
import { expectInert, drawsAgain, watch, writeHostile } from '../support/hostile.ts';
import { figure, inspector, outline, sessionLinks, transcript, tree } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Inputs with the problems that the page must name; by the names of packages/core/test/hostile. */
const INPUTS: readonly [name: string, problems: number][] = [
  ['a chain of 20,000 entries', 0],
  ['a chain of 60,000 entries with dead ends', 0],
  ['nested compactions', 0],
  ['a tail without chat', 0],
  ['two writers', 0],
  ['a NUL block in the middle', 1],
  ['a record split by a raw line feed', 1],
  ['line separators in texts', 0],
  ['lone surrogates', 0],
  ['content of every wrong form', 0],
  ['the XSS kit', 0],
  ['keys of the object prototype', 0],
  ['numbers that are no figures', 2],
  ['dates out of range', 0],
  ['strange ids', 3],
  ['texts of 100 KB in every name', 0],
  ['deep values in every field', 0],
  ['a circle of 60,000 entries', 1],
  ['a star of 60,000 children', 0],
  ['60,000 entries with the same id', 60_000],
  ['10,000 compactions on one path', 0],
  ['100,000 labels', 0],
  ['100,000 tool calls in one turn', 0],
  ['a tool argument of 5 MB', 0],
  ['an image of 20 MB in base64', 0],
];

// All of them lie in one folder of one server.
let server: Command | undefined;
const keys = new Map<string, string>();

test.describe.configure({ mode: 'default', timeout: 120_000 });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const names = INPUTS.map(([name]) => name);
  server = new Command();
  const folder = `${server.home}/agent`;
  writeHostile(folder, names);
  const address = await server.start('--no-open', '--port', '0', '--root', folder).address();
  await expect(async () => {
    const { indexing } = (await (await fetch(`${address}/api/health`)).json()) as {
      indexing: { running: boolean; total: number };
    };
    expect([indexing.running, indexing.total]).toEqual([false, names.length]);
  }).toPass({ timeout: 150_000 });
  const { items } = (await (await fetch(`${address}/api/sessions?limit=500`)).json()) as {
    items: { key: string; path: string }[];
  };
  for (const { key, path } of items) keys.set(names[Number(/(\d+)\.jsonl$/.exec(path)?.[1])] ?? '', `${address}/s/${key}`);
});

test.afterAll(() => server?.end());

for (const [name, problems] of INPUTS) {
  test(`${name}: listed, opened, read, and nothing of it runs`, async ({ page }) => {
    const address = keys.get(name) ?? '';
    const { origin, pathname } = new URL(address);
    const watched = watch(page, origin);
    await page.goto(`${origin}/`);
    const row = sessionLinks(page).and(page.locator(`[href^="${pathname}"]`));
    await expect(async () => {
      if (!(await row.isVisible())) await page.getByRole('region', { name: 'Sessions' }).getByRole('list').hover();
      if (!(await row.isVisible())) await page.mouse.wheel(0, 300);
      await expect(row).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 20_000 });
    await expectInert(page, watched);
    // While the library is being counted its rows may move under the pointer; a person then clicks again.
    await expect(async () => {
      if (await row.isVisible()) await row.click({ timeout: 2_000 });
      await expect(page).toHaveURL(/\/s\//, { timeout: 1_000 });
    }).toPass({ timeout: 20_000 });

    // Tree and transcript show it, and the walk from its last to its first entry goes through all three.
    await expect(tree(page).getByRole('treeitem').first()).toBeVisible({ timeout: 30_000 });
    const list = outline(page);
    await list.focus();
    for (const key of ['End', 'Home']) {
      await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      await expect(list.getByRole('treeitem', { selected: true })).toBeVisible();
      await expect(figure(inspector(page), 'type')).toBeVisible({ timeout: 30_000 });
    }
    await expect(transcript(page).getByRole('article').first()).toBeVisible();
    await page.getByRole('button', { name: 'As stored' }).click();
    await expectInert(page, watched);

    // Every way to look at it.
    for (const tab of ['As the model sees it', /^Compactions/, 'Full history']) {
      await page.getByRole('tab', { name: tab }).click();
      await expectInert(page, watched);
    }
    for (const tab of ['Sees', 'Facts', 'Entry']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expectInert(page, watched);
    }
    const folds = transcript(page).locator('button[aria-expanded="false"]');
    for (let i = 0; i < 12 && (await folds.count()) > 0; i++) await folds.first().click();
    await expectInert(page, watched);

    const count = page.getByRole('button', { name: /problems?$/ });
    if (problems === 0) await expect(count).toHaveCount(0);
    else {
      await count.click();
      await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible();
      await expectInert(page, watched);
    }
    await drawsAgain(page);
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(20_000);
  });
}
