import type { Page } from '@playwright/test';

import { openByKeyboard, tabTo } from '../support/keyboard.ts';
import { figure, inspector, openSession, outline, transcript, tree } from '../support/pages.ts';
import { REDIRECT } from '../support/sessions.ts';
import { expect, picture, test } from '../support/test.ts';

const run = (page: Page, name: RegExp) => tree(page).getByRole('treeitem', { name });
/** The capsule of the entries before the fork. */
const first = (page: Page) => run(page, /^Why does the login page.*entries/);
const row = (page: Page, name: RegExp) => outline(page).getByRole('treeitem', { name });
/** The entry of the map that the keyboard is on. */
const atKeyboard = (page: Page) =>
  tree(page).evaluate((map) => document.getElementById(map.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');

test('a run of the map is opened with the mouse, an entry in it is chosen, and it is closed again', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await expect(first(page)).toHaveAttribute('aria-expanded', 'false');
  const closed = await tree(page).getByRole('treeitem').count();
  await first(page).locator('[data-toggle]').click();
  await expect(first(page)).toHaveAttribute('aria-expanded', 'true');
  const inside = run(page, /The proxy rewrites the Set-Cookie header/);
  await expect(inside).toBeVisible();
  await picture(page, 'run-open');
  await inside.click();
  await expect(transcript(page).getByRole('article', { name: /The proxy rewrites/ })).toBeInViewport();
  await expect(figure(inspector(page), 'in the file')).toContainText('line 9');
  await first(page).locator('[data-toggle]').click();
  await expect(first(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(inside).toHaveCount(0);
  await expect(tree(page).getByRole('treeitem')).toHaveCount(closed);
  // A second way to open and to close.
  await first(page).dblclick();
  await expect(first(page)).toHaveAttribute('aria-expanded', 'true');
});

test('a branch of the outline is folded and unfolded with the mouse', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const begins = row(page, /Store the session in a signed token/);
  const below = row(page, /A signed token would avoid/);
  await expect(begins).toHaveAttribute('aria-expanded', 'true');
  await begins.getByTitle('Fold this branch').click();
  await expect(begins).toHaveAttribute('aria-expanded', 'false');
  await expect(below).toHaveCount(0);
  // Folding selects nothing.
  await expect(page).not.toHaveURL(/entry=/);
  await begins.getByTitle('Unfold this branch').click();
  await expect(below).toBeVisible();

  // What is folded and chosen elsewhere stands for what it hides.
  await begins.getByTitle('Fold this branch').click();
  await run(page, /^Store the session/).click();
  await expect(transcript(page)).toContainText(REDIRECT.abandonedAnswer);
  await expect(begins).toHaveAttribute('aria-selected', 'true');
});

test.describe('without a mouse', () => {
  test('a run of the map is opened, walked, left and closed', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await tabTo(page, tree(page));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(first(page)).toHaveAttribute('aria-expanded', 'true');
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => atKeyboard(page)).toContain('Why does the login page');
    await expect(transcript(page).locator('article[aria-current="true"]')).toHaveAccessibleName(/Why does the login page/);
    await expect(tree(page)).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(first(page)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press(' ');
    await expect(first(page)).toHaveAttribute('aria-expanded', 'true');
  });

  test('another branch is chosen in the map, and the way back leads to the first', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await tabTo(page, tree(page));
    await page.keyboard.press('Home');
    // It opens, the keyboard goes in, and from there to the branch that leaves at its end.
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => atKeyboard(page)).toContain('Store the session');
    await page.keyboard.press('Enter');
    await expect(transcript(page)).toContainText(REDIRECT.abandonedAnswer);
    await expect(tree(page)).toBeFocused();
    // The browser's own key for it is no part of the page.
    await page.goBack();
    await expect(transcript(page)).toContainText(REDIRECT.activeAnswer);
  });

  test('a branch of the outline is folded, unfolded and chosen, and the entries are filtered', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await tabTo(page, outline(page));
    await page.keyboard.press('End');
    const begins = row(page, /Store the session in a signed token/);
    const below = row(page, /A signed token would avoid/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await expect(begins).toHaveAttribute('aria-expanded', 'false');
    await expect(below).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await expect(begins).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Enter');
    await expect(begins).toHaveAttribute('aria-selected', 'true');
    await expect(transcript(page)).toContainText(REDIRECT.abandonedAnswer);

    await page.keyboard.press('u');
    await expect(page.getByRole('combobox', { name: 'Entries in the outline' })).toHaveValue('prompts');
    await expect(outline(page).getByRole('treeitem')).toHaveCount(5);
    await page.keyboard.press('/');
    await page.keyboard.type('cookie');
    await expect(outline(page).getByRole('treeitem')).toHaveCount(1);
    await expect(row(page, /Set the cookie on the parent domain/)).toBeVisible();
  });
});
