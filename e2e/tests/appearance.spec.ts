import type { Page } from '@playwright/test';

import { openLibrary, openSession, sessionLinks, transcript } from '../support/pages.ts';
import { CHINESE, REDIRECT } from '../support/sessions.ts';
import { expect, expectAccessible, picture, test } from '../support/test.ts';

/** Brightness of the page's background, 0 … 255. */
const brightness = async (page: Page): Promise<number> => {
  const colour = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
};

/** Nothing is wider than the window. */
const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
};

test.describe('where the system is dark', () => {
  test.use({ colorScheme: 'dark' });

  test('library and session are dark, with enough contrast', async ({ page }) => {
    await openLibrary(page);
    expect(await brightness(page)).toBeLessThan(60);
    await picture(page, 'library-dark');
    await expectAccessible(page);
    await openSession(page, REDIRECT.title);
    await picture(page, 'session-dark');
    await expectAccessible(page);
  });
});

test('a theme that was chosen stays', async ({ page }) => {
  await openLibrary(page);
  expect(await brightness(page)).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Theme and language' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => brightness(page)).toBeLessThan(60);
  await page.reload();
  await expect(sessionLinks(page).first()).toBeVisible();
  expect(await brightness(page)).toBeLessThan(60);
});

test.describe('where the browser speaks Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('so does the page', async ({ page }) => {
    await openSession(page, CHINESE.title);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByRole('article').filter({ hasText: CHINESE.answer })).toBeVisible();
    // No control is named in English. The first word of an article is the role as it is stored.
    const names = await page.getByRole('button').evaluateAll((buttons) => buttons.map((b) => b.ariaLabel ?? b.textContent ?? ''));
    expect(names.filter((name) => /^[\x20-\x7e]*[a-z]{3}[\x20-\x7e]*$/i.test(name.trim()) && !/JSON/.test(name))).toEqual([]);
    await picture(page, 'session-zh');
    await expectAccessible(page);
  });
});

test('a language that was chosen stays', async ({ page }) => {
  await openLibrary(page);
  await page.getByRole('button', { name: 'Theme and language' }).click();
  await page.getByRole('radio', { name: '简体中文' }).check();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.reload();
  await expect(page.getByRole('region', { name: '会话' })).toBeVisible();
  await picture(page, 'library-zh');
});

test.describe('on a window of 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the library is read and a session opened', async ({ page }) => {
    await openLibrary(page);
    await expectNoSidewaysScroll(page);
    await picture(page, 'library-360');
    await expectAccessible(page);
    await openSession(page, REDIRECT.title);
    await expectNoSidewaysScroll(page);
    await picture(page, 'session-360');
    await expectAccessible(page);
  });

  test('tree, transcript and inspector are tabs', async ({ page }) => {
    await openSession(page, REDIRECT.title);
    await page.getByRole('tab', { name: 'Entry tree' }).click();
    await expect(transcript(page)).toBeHidden();
    await page
      .getByRole('treeitem', { name: /^Store the session/ })
      .first()
      .click();
    await picture(page, 'tree-360');
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await expect(page.getByRole('article').filter({ hasText: REDIRECT.abandonedAnswer })).toBeVisible();
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await expect(page.getByText('in the file')).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
});
