import { openLibrary, sessionLinks } from '../support/pages.ts';
import { CHINESE, DAMAGED, REDIRECT } from '../support/sessions.ts';
import { expect, expectAccessible, picture, test } from '../support/test.ts';

test('a session is found by words of its title and opened', async ({ page }) => {
  await openLibrary(page);
  await page.getByRole('searchbox', { name: 'Filter sessions' }).fill('login redirect');
  await expect(page.getByRole('heading', { name: '1 session' })).toBeVisible();
  const row = sessionLinks(page);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(REDIRECT.title);
  await expect(row).toContainText('/home/ada/work/api');
  await expect(row).toContainText('16 entries');
  await row.click();
  await expect(page.getByRole('heading', { level: 1, name: REDIRECT.title })).toBeVisible();
  await expect(page).toHaveTitle(/Redirect loop after login/);
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('login redirect');
});

test('a session is found and opened with the keyboard alone', async ({ page }) => {
  await openLibrary(page);
  await page.keyboard.press('/');
  await page.keyboard.type('修复');
  await expect(sessionLinks(page)).toHaveCount(1);
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    if (await sessionLinks(page).evaluate((row) => row === document.activeElement)) break;
  }
  await expect(sessionLinks(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: CHINESE.title })).toBeVisible();
});

test('the list is walked with the arrow keys, to its end and back', async ({ page }) => {
  await openLibrary(page);
  await sessionLinks(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('li[aria-posinset="2"]').getByRole('link')).toBeFocused();
  await page.keyboard.press('End');
  const last = page.locator('li:focus-within');
  await expect(last).toHaveAttribute('aria-posinset', (await last.getAttribute('aria-setsize')) ?? 'none');
  await page.keyboard.press('Home');
  await expect(page.locator('li[aria-posinset="1"]').getByRole('link')).toBeFocused();
});

test('what is asked of the list stands in the address', async ({ page }) => {
  await openLibrary(page, '?q=ada&with=branches');
  await expect(page.getByRole('button', { name: 'with branches' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('searchbox')).toHaveValue('ada');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('name');
  await expect(page).toHaveURL(/sort=title/);
  const first = await sessionLinks(page).first().innerText();
  await page.reload();
  await expect(sessionLinks(page).first()).toHaveText(first, { useInnerText: true });
});

test('the sessions of one project', async ({ page }) => {
  await openLibrary(page);
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: '/home/ada/work/site 1' }).click();
  await expect(sessionLinks(page)).toHaveCount(1);
  await expect(sessionLinks(page)).toContainText(CHINESE.title);
});

test('a file that could not be read whole is listed with its problems', async ({ page }) => {
  await openLibrary(page, '?with=problems');
  await expect(sessionLinks(page)).toHaveCount(1);
  await expect(sessionLinks(page)).toContainText(DAMAGED.prompt);
  await expect(sessionLinks(page)).toContainText('2 problems');
});

test('nothing found is said, and how to get back', async ({ page }) => {
  await page.goto('/?q=nobody-ever-wrote-this');
  await expect(page.getByText('No session matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await expect(sessionLinks(page).first()).toBeVisible();
});

test('the library has no violation that axe can find', async ({ page }) => {
  await openLibrary(page);
  await picture(page, 'library');
  await expectAccessible(page);
});
