import { expect, type Locator, type Page } from '@playwright/test';

import { sessionLinks } from './pages.ts';

/** Presses Tab, or Shift+Tab, until the element has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isThere = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
  await expect(target).toBeAttached();
  for (let presses = 0; presses < 120; presses++) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused({ timeout: 1 });
}

/** Finds a session by words and opens it, without a mouse. */
export async function openByKeyboard(page: Page, words: string): Promise<void> {
  await page.goto('/');
  await expect(sessionLinks(page).first()).toBeVisible();
  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type(words);
  const found = sessionLinks(page).filter({ hasText: words });
  await expect(found).toHaveCount(1);
  await tabTo(page, found);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
}
