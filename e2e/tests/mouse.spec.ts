import type { Page } from '@playwright/test';

import { figure, inspector, openLibrary, openSession, outline, sessionLinks, transcript, tree } from '../support/pages.ts';
import { REDIRECT } from '../support/sessions.ts';
import { expect, picture, test } from '../support/test.ts';

const current = (page: Page) => transcript(page).locator('article[aria-current="true"]');
const report = (page: Page) => page.getByRole('region', { name: 'Compaction 1' });

test('the transcript is walked from prompt to prompt, and a block that is clicked is chosen everywhere', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const previous = page.getByRole('button', { name: 'Previous prompt' });
  await previous.click();
  await expect(current(page)).toHaveAccessibleName(/Set the cookie on the parent domain/);
  await previous.click();
  await expect(current(page)).toHaveAccessibleName(/What are the ways out/);
  await page.getByRole('button', { name: 'Next prompt' }).click();
  await expect(current(page)).toHaveAccessibleName(/Set the cookie/);

  await transcript(page).getByText('It answers with a redirect to the same page.').click();
  await expect(figure(inspector(page), 'in the file')).toContainText('line 7');
  await expect(outline(page).getByRole('treeitem', { name: /It answers with a redirect/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(tree(page).getByRole('treeitem', { selected: true })).toHaveAccessibleName(/Why does the login page/);
});

test('a block leads to its entry as it is stored, and its address can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSession(page, REDIRECT.title);
  const answer = transcript(page).getByRole('article', { name: /The cookie is now set/ });
  await answer.hover();
  await answer.getByRole('button', { name: 'raw: the entry as it is stored' }).click();
  await expect(inspector(page)).toContainText('"stopReason":"stop"');
  await answer.hover();
  await answer.getByRole('button', { name: 'Copy a link to this entry' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto(link);
  await expect(current(page)).toHaveAccessibleName(/The cookie is now set/);
});

test('a compaction leads to what it kept, and to its place in the tree', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const tab = page.getByRole('tab', { name: /^Compactions/ });
  await tab.click();
  await figure(report(page), 'Kept').getByRole('button', { name: 'What are the ways out?' }).click();
  await expect(page.getByRole('tab', { name: 'Full history' })).toHaveAttribute('aria-selected', 'true');
  await expect(current(page)).toHaveAccessibleName(/What are the ways out/);
  await tab.click();
  await report(page).getByRole('button', { name: 'Show in the tree' }).click();
  await expect(tree(page).getByRole('treeitem', { selected: true })).toHaveAccessibleName(/compaction 1/);
});

test('from an earlier entry the lens says “not yet” of what comes later, in every pane', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await outline(page)
    .getByRole('treeitem', { name: /It answers with a redirect/ })
    .click();
  await page.getByRole('tab', { name: 'Sees', exact: true }).click();
  await expect(inspector(page)).toContainText('the model gets 4 messages');
  // Compaction, label and all the rest that follow, the branch that was left among them.
  await expect(figure(inspector(page), 'not yet')).toContainText('10 · comes later');
  await page.getByRole('tab', { name: 'Entry', exact: true }).click();

  // The branch that ends there.
  const { pathname } = new URL(page.url());
  const id = await figure(inspector(page), 'id').innerText();
  await page.goto(`${pathname}?leaf=${id}`);
  await expect(outline(page).getByRole('treeitem', { name: /The proxy rewrites/ })).toContainText('not yet: comes later');
  await expect(tree(page).getByRole('treeitem', { name: /Look at the proxy/ })).toHaveAccessibleName(/4 not yet/);
  await picture(page, 'not-yet');
  for (const pane of [outline(page), tree(page)]) {
    const names = await pane.getByRole('treeitem').allTextContents();
    expect(names.filter((name) => /never sent: comes later/.test(name))).toEqual([]);
  }
  await page.getByRole('button', { name: 'Marks and keys' }).click();
  await expect(page.getByRole('region', { name: 'Marks and keys' })).toContainText('not yet: comes after the leaf');
});

test('sessions are filtered by what they do now', async ({ page }) => {
  await openLibrary(page);
  const status = page.getByRole('combobox', { name: 'Status' });
  await status.selectOption({ label: 'waiting' });
  await expect(page).toHaveURL(/status=waiting/);
  await page.getByRole('searchbox').fill(REDIRECT.title);
  await expect(sessionLinks(page)).toHaveCount(1);
  await expect(sessionLinks(page).getByRole('img', { name: 'waiting' })).toBeVisible();
  await status.selectOption({ label: 'paused' });
  await expect(page).toHaveURL(/status=paused/);
  await expect(page.getByText('No session matches')).toBeVisible();
  await page.reload();
  await expect(status).toHaveValue('paused');
});
