import type { Page } from '@playwright/test';

import { openByKeyboard, tabTo } from '../support/keyboard.ts';
import { figure, inspector, openSession, transcript, tree } from '../support/pages.ts';
import { DAMAGED, REDIRECT } from '../support/sessions.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

const feed = (page: Page) => page.getByRole('feed');
const current = (page: Page) => feed(page).locator('article[aria-current="true"]');
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name });

/** Into the list of entries: on the selected one, or the list itself. */
async function intoTranscript(page: Page): Promise<void> {
  await tabTo(page, tab(page, 'Full history'));
  await tabTo(page, feed(page));
}

test.describe('without a mouse', () => {
  test('the transcript is walked, a call is opened, its stored form is read, and Escape leads back', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await intoTranscript(page);
    await page.keyboard.press('[');
    await expect(current(page)).toHaveAccessibleName(/Set the cookie on the parent domain/);
    for (let prompt = 0; prompt < 3; prompt++) await page.keyboard.press('[');
    await expect(current(page)).toHaveAccessibleName(/Why does the login page/);
    await page.keyboard.press(']');
    await expect(current(page)).toHaveAccessibleName(/Look at the proxy/);
    await page.keyboard.press('[');
    await expect(current(page)).toHaveAccessibleName(/Why does the login page/);
    await page.keyboard.press('j');
    await expect(current(page)).toHaveAccessibleName(/I will ask the server/);
    await expect(current(page)).toBeFocused();
    await expect(feed(page).getByText(REDIRECT.output)).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(feed(page).getByText(REDIRECT.output)).toBeVisible();

    await page.keyboard.press('r');
    await expect(inspector(page)).toContainText('"type":"message"');
    await expect(inspector(page).getByRole('button', { name: 'As stored' })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Escape');
    await expect(current(page)).toBeFocused();
  });

  test('every block leads to its entry as it is stored, the result of a call to its own', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await intoTranscript(page);
    const result = feed(page).getByRole('button', { name: 'raw result: as it is stored' });
    await tabTo(page, result.first());
    await page.keyboard.press('Enter');
    await expect(inspector(page).getByRole('tabpanel')).toBeFocused();
    await expect(inspector(page)).toContainText('"role":"toolResult"');
  });

  test('a compaction is chosen, read, and left for what it kept', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await tabTo(page, tab(page, 'Full history'));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, /^Compactions/)).toHaveAttribute('aria-selected', 'true');
    const report = page.getByRole('region', { name: 'Compaction 1' });
    await tabTo(page, report);
    await expect(report.getByText(REDIRECT.summary).last()).not.toHaveClass('markdown');
    await page.keyboard.press('Enter');
    await expect(report.locator('.markdown')).toContainText(REDIRECT.summary);
    await page.keyboard.press('Enter');
    await expect(report.locator('.markdown')).toBeHidden();

    const kept = figure(report, 'Kept').getByRole('button').first();
    await expect(kept).toHaveText('What are the ways out?');
    await tabTo(page, kept);
    await page.keyboard.press('Enter');
    await expect(current(page)).toHaveAccessibleName(/What are the ways out/);
    await expect(current(page)).toBeFocused();
  });

  test('the problems of a session are read and left', async ({ page }) => {
    await openByKeyboard(page, DAMAGED.prompt);
    const button = page.getByRole('button', { name: '2 problems' });
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('A line is not valid JSON.');
    await expect(dialog).toContainText('line 4');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  });

  test('a compaction leads to its place in the tree', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await tabTo(page, tab(page, 'Full history'));
    await page.keyboard.press('End');
    await tabTo(page, page.getByRole('button', { name: 'Show in the tree' }));
    await page.keyboard.press('Enter');
    await expect(tree(page)).toBeFocused();
    await expect(tree(page).getByRole('treeitem', { selected: true })).toHaveAccessibleName(/compaction/i);
  });

  test('the lens says of each entry what became of it, and why', async ({ page }) => {
    await openByKeyboard(page, REDIRECT.title);
    await intoTranscript(page);
    await page.keyboard.press('Home');
    const folded = feed(page).getByRole('article', { name: /Look at the proxy/ });
    await expect(folded.getByTitle('folded into compaction 1')).toBeVisible();
    await expect(folded).toContainText('folded');

    await tabTo(page, tab(page, 'Full history'), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect(feed(page).getByRole('article')).toHaveCount(5);
    await tabTo(page, tab(page, 'Entry'));
    await page.keyboard.press('ArrowRight');
    await expect(inspector(page)).toContainText('the model gets 5 messages');
    await expect(inspector(page)).toContainText('The file does not say which system prompt was in force.');
    await page.keyboard.press('ArrowRight');
    await expect(inspector(page)).toContainText('In your time zone, Europe/Berlin');
    const days = inspector(page).locator('summary', { hasText: 'as a table' });
    await tabTo(page, days);
    await page.keyboard.press('Enter');
    await expect(inspector(page).getByRole('rowheader', { name: '2 Mar' })).toBeVisible();
    await expect(transcript(page)).toBeVisible();
  });
});

const WIDTHS = [1440, 360] as const;
const SCHEMES = ['light', 'dark'] as const;

for (const width of WIDTHS) {
  for (const colorScheme of SCHEMES) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });

      test('all tabs of the session page are accessible', async ({ page }) => {
        test.slow();
        await openSession(page, REDIRECT.title);
        // The buttons of a block are there only under the mouse.
        await feed(page).locator('.block').last().hover();
        await expectAccessible(page);
        for (const name of ['Full history', 'As the model sees it', /^Compactions/]) {
          await tab(page, name).click();
          await expect(transcript(page).or(page.getByRole('tabpanel')).first()).not.toContainText('Loading…');
          await expectAccessible(page);
        }
        if (width < 900) await tab(page, 'Inspector').click();
        for (const [name, text] of [
          ['Entry', 'in the file'],
          ['Sees', 'Settings in force'],
          ['Facts', 'In your time zone'],
        ] as const) {
          await page.getByRole('tab', { name, exact: true }).click();
          await expect(page.locator(`[id^="inspector-"][role="tabpanel"]`)).toContainText(text);
          if (name === 'Facts') await page.locator('summary', { hasText: 'as a table' }).click();
          await expectAccessible(page);
        }
      });
    });
  }
}
