import type { Page } from '@playwright/test';

import { Command } from '../support/command.ts';
import { figure, inspector, openLibrary, outline, sessionLinks, transcript, tree } from '../support/pages.ts';
import { expect, expectAccessible, picture, test as base } from '../support/test.ts';

/** Waits until all is counted: rows keep their places then. */
async function counted(address: string): Promise<void> {
  for (;;) {
    const { indexing } = (await (await fetch(`${address}/api/health`)).json()) as {
      indexing: { running: boolean; done: number };
    };
    if (!indexing.running && indexing.done > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The demo has sessions of every kind of store, side by side. */
const test = base.extend<object, { demo: string }>({
  demo: [
    async ({}, use) => {
      const command = new Command();
      const address = await command.start('--no-open', '--port', '0', '--demo').address();
      await counted(address);
      await use(address);
      await command.end();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ demo }, use) => use(demo),
});

async function open(page: Page, words: string): Promise<void> {
  await openLibrary(page);
  await page.getByRole('searchbox').fill(words);
  await sessionLinks(page).filter({ hasText: words }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
}

test('sessions of buckets, of project directories and of DeepSeek Harness stand in one list', async ({ page }) => {
  await openLibrary(page);
  const { items } = (await (await page.request.get('/api/sessions?limit=500')).json()) as {
    items: { dialect: string; title: string | null; problemCount: number }[];
  };
  const { items: roots } = (await (await page.request.get('/api/roots')).json()) as {
    items: { dialect: string; problems: unknown[] }[];
  };
  expect(roots.map(({ dialect }) => dialect).sort()).toEqual(['dsh', 'musepi', 'pi', 'projects']);
  expect(roots.flatMap(({ problems }) => problems)).toEqual([]);
  expect(items.filter(({ dialect }) => dialect === 'dsh').length).toBeGreaterThan(3);
  await expect(page.getByRole('heading', { name: `${String(items.length)} sessions` })).toBeVisible();
  await picture(page, 'kinds-library');
});

test('a session of DeepSeek Harness reads like any other', async ({ page }) => {
  await open(page, 'Product search in 6 ms');
  const feed = transcript(page).getByRole('feed');
  await expect(feed.getByText('Can we also search in descriptions?').first()).toBeVisible();
  await expect(tree(page).getByRole('treeitem', { name: /compaction/ })).toBeVisible();
  await outline(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(feed.getByText('turn 1')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'kinds-harness');

  // The model sees what took the place of the beginning; people read the beginning.
  await transcript(page).getByRole('tab', { name: 'As the model sees it' }).click();
  await expect(feed.getByText(/This checkpoint condenses/).first()).toBeVisible();
  await transcript(page)
    .getByRole('tab', { name: /Compactions/ })
    .click();
  await expect(
    transcript(page)
      .getByText(/folded/i)
      .first(),
  ).toBeVisible();

  // At the leaf: what stands before the compaction is folded.
  await outline(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await inspector(page).getByRole('tab', { name: 'Sees' }).click();
  await expect(inspector(page).getByText('By the rules of dsh.', { exact: false })).toBeVisible();
  await expect(
    inspector(page)
      .getByText(/folded/i)
      .first(),
  ).toBeVisible();
});

test('a call says who allowed it, and how it went', async ({ page }) => {
  await open(page, 'Product search in 6 ms');
  const card = transcript(page).getByRole('button', { name: /npm run migrate/ });
  await outline(page).focus();
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('npm run migrate');
  await outline(page).getByRole('treeitem').filter({ hasText: 'npm run migrate' }).click();
  await expect(card).toContainText('allowed once');
  await card.focus();
  await page.keyboard.press('Enter');
  await expect(transcript(page).getByText('approval asked for:')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'kinds-call');
});

test('a compaction of an event log is opened where it stands', async ({ page }) => {
  await open(page, 'Product search in 6 ms');
  const divider = transcript(page).getByRole('button', { name: /read the compaction/ });
  await divider.click();
  await expect(transcript(page).getByText(/The product search was slow/)).toBeVisible();
  // The copy for the model is not a second summary.
  await expect(transcript(page).getByText(/This checkpoint condenses/)).toHaveCount(0);
});

test('the facts of a session tell its kind, its version and how it is stored', async ({ page }) => {
  await open(page, 'Product search in 6 ms');
  await inspector(page).getByRole('tab', { name: 'Facts' }).click();
  await expect(figure(inspector(page), 'format')).toHaveText('dsh, rules of dsh');
  await expect(figure(inspector(page), 'encoding')).toHaveText(/^compressed \(Zstandard\)/);
  await expect(figure(inspector(page), 'version').first()).toHaveText(/^[0-4]$/);
});

test('a sub-agent is reached from the session that started it, and leads back', async ({ page }) => {
  await open(page, 'Product search in 6 ms');
  await inspector(page).getByRole('tab', { name: 'Facts' }).click();
  const name = /^Find every query/;
  await expect(inspector(page).locator('section').first().getByRole('list').getByRole('link', { name })).toBeVisible();
  // The call that started it leads there, too.
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('subagent');
  await outline(page)
    .getByRole('treeitem')
    .filter({ hasText: /subagent/ })
    .last()
    .click();
  await transcript(page).getByRole('feed').getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Product search in 6 ms' })).toHaveCount(0);
  await expect(page.getByRole('article').first()).toBeVisible();
  await inspector(page).getByRole('tab', { name: 'Facts' }).click();
  await inspector(page).getByRole('link', { name: 'open the parent session' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Product search in 6 ms' })).toBeVisible();
});

test('a session of a project directory, compressed, is searched and walked with the keyboard', async ({ page }) => {
  await openLibrary(page);
  const { items } = (await (await page.request.get('/api/sessions?limit=500')).json()) as {
    items: { key: string; rootId: string; path: string }[];
  };
  const compressed = items.find(({ rootId, path }) => rootId.startsWith('projects-') && path.endsWith('.zstd'));
  expect(compressed).toBeDefined();
  await page.goto(`/s/${encodeURIComponent(compressed!.key)}`);
  await expect(page.getByRole('article').first()).toBeVisible();
  await outline(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('tab', { name: 'Entry' })).toHaveAttribute('aria-selected', 'true');
  await inspector(page).getByText('As stored', { exact: true }).click();
  await expect(
    inspector(page)
      .getByText(/"type":/)
      .first(),
  ).toBeVisible();
});

test('a narrow window shows an event log, too', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'Product search in 6 ms');
  await expect(page.getByRole('article').filter({ hasText: 'Can we also search in descriptions?' })).toBeVisible();
  await picture(page, 'kinds-harness-360');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
