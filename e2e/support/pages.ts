import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the library and waits until it has rows. */
export async function openLibrary(page: Page, query = ''): Promise<void> {
  await page.goto(`/${query}`);
  await expect(sessionLinks(page).first()).toBeVisible();
}

/** Rows of the library that are in the document: it draws only those near the window. */
export const sessionLinks = (page: Page): Locator => page.getByRole('region', { name: /^(Sessions|会话)$/ }).getByRole('link');

/** Finds a session by words, as a person does, and opens it. */
export async function openSession(page: Page, words: string): Promise<void> {
  await openLibrary(page);
  await page.getByRole('searchbox').fill(words);
  await sessionLinks(page).filter({ hasText: words }).click();
  await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
}

export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Map' });
export const outline = (page: Page): Locator => page.getByRole('tree', { name: 'Outline' });
export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Transcript' });
export const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' });

/** What a definition list says of a term. */
export const figure = (place: Locator, term: string): Locator =>
  place.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('+ dd');
