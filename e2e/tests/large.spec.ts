import type { Page } from '@playwright/test';

import { openLibrary, outline, sessionLinks, transcript, tree } from '../support/pages.ts';
import { expect, picture, test } from '../support/test.ts';

/** Opens the session with the most entries of a root, found by the name of the root's folder. */
async function openLargest(page: Page, root: string, entries: RegExp): Promise<void> {
  await openLibrary(page);
  await page
    .getByRole('navigation', { name: 'Projects' })
    .getByRole('heading', { name: new RegExp(root) })
    .getByRole('link')
    .click();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('entries');
  await sessionLinks(page).filter({ hasText: entries }).click();
  await expect(tree(page).getByRole('treeitem').first()).toBeVisible();
}

const domNodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

test('a chain of 60,000 entries opens, and its first and last entries are read', async ({ page }) => {
  await openLargest(page, '/long', /60,000 entries|60k entries/);
  await expect(page.getByRole('article').first()).toBeVisible();
  await picture(page, 'chain');
  const list = outline(page);
  const current = transcript(page).locator('article[aria-current="true"]');
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number(await current.getAttribute('aria-posinset'))).toBeLessThan(5);
  await expect(current).toBeInViewport();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number(await current.getAttribute('aria-posinset'))).toBeGreaterThan(40_000);
  await expect(current).toBeInViewport();
  expect(await domNodes(page)).toBeLessThan(4000);
});

test('a tree of 20,000 entries with 500 branches opens, and a branch is chosen in it', async ({ page }) => {
  await openLargest(page, '/wide', /20,000 entries|20k entries/);
  await expect(page.getByRole('group', { name: 'Figures of the session' })).toContainText('500 branches');
  await picture(page, 'wide');
  await outline(page)
    .getByRole('treeitem', { name: /side branch/ })
    .first()
    .click();
  await expect(page).toHaveURL(/[?&]leaf=/);
  await expect(transcript(page).locator('article[aria-current="true"]')).toBeInViewport();
  expect(await domNodes(page)).toBeLessThan(4000);
});
