import type { Page } from '@playwright/test';

import { tabTo } from '../support/keyboard.ts';
import { test } from '../support/own-session.ts';
import { inspector, transcript } from '../support/pages.ts';
import { SessionFile } from '../support/session-file.ts';
import { expect, expectAccessible, picture } from '../support/test.ts';

/** Damage before the first entry, between entries, in an entry, and at the end. */
function damaged(): SessionFile {
  const file = new SessionFile('0195a1c0-0000-7000-8000-00000000000c', '/home/ada/work/damaged');
  file.line('["a list"]');
  file.user('Rename the helper.');
  file.assistant('Renamed in four files.');
  file.line('{"type":"message","id":"broken","parentId":<img src=x onerror=alert(1)>');
  file.user('And its test.');
  file.line('\0'.repeat(512));
  file.goTo('nobody').user('Who asked this?');
  file.goTo('00000003').assistant('Done as well.');
  return file.torn('{"type":"message","id":"torn 悬');
}

const button = (page: Page) => page.getByRole('button', { name: '5 problems' });
const dialog = (page: Page) => page.getByRole('dialog');
/** The list of one kind of problem. */
const kind = (page: Page, words: RegExp) =>
  dialog(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: words }) });
const NO_JSON = /not valid JSON/;
const current = (page: Page) => page.getByRole('feed').locator('article[aria-current="true"]');

test('a problem between two entries leads to the one before it, and shows the bytes that are stored there', async ({
  page,
  own,
}) => {
  await page.goto(await own.serve(damaged()));
  await button(page).click();
  const broken = kind(page, NO_JSON);
  await expect(broken).toContainText('line 5');
  await expect(broken).toContainText('after entry “Renamed in four files.”');
  await broken.getByRole('button', { name: 'Stored bytes' }).click();
  const bytes = broken.getByRole('region', { name: 'Stored bytes, line 5' });
  await expect(bytes).toHaveText('{"type":"message","id":"broken","parentId":<img src=x onerror=alert(1)>');

  const nul = kind(page, /NUL/);
  await expect(nul).toContainText('after entry “And its test.”');
  await nul.getByRole('button', { name: 'Stored bytes' }).click();
  await expect(nul.getByRole('region', { name: 'Stored bytes' })).toHaveText('00×512');
  const torn = kind(page, /last line is incomplete/);
  await expect(torn).toContainText('after entry “Done as well.”');
  await torn.getByRole('button', { name: 'Stored bytes' }).click();
  await expect(torn.getByRole('region', { name: 'Stored bytes' })).toHaveText('{"type":"message","id":"torn 悬');
  await picture(page, 'problems-bytes');
  await expectAccessible(page);
  await broken.getByRole('button', { name: 'Stored bytes' }).click();
  await expect(bytes).toHaveCount(0);

  await broken.getByRole('button', { name: 'Show the entry before it' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(current(page)).toHaveAccessibleName(/Renamed in four files/);
  await expect(current(page)).toBeInViewport();
});

test('a problem before the first entry leads to that one, from any view', async ({ page, own }) => {
  await page.goto(await own.serve(damaged()));
  await page.getByRole('tab', { name: /^Compactions/ }).click();
  await button(page).click();
  const list = kind(page, /not an object/);
  await expect(list).toContainText('before entry “Rename the helper.”');
  await list.getByRole('button', { name: 'Show the entry after it' }).click();
  await expect(current(page)).toHaveAccessibleName(/Rename the helper/);
});

test('a problem of an entry leads to it as it is stored, on whatever branch it is', async ({ page, own }) => {
  await page.goto(await own.serve(damaged()));
  await expect(transcript(page)).toContainText('Done as well.');
  await button(page).click();
  const orphan = kind(page, /not in the file/);
  await expect(orphan).toContainText('Who asked this?');
  await expect(orphan.getByRole('button', { name: 'Stored bytes' })).toHaveCount(0);
  await orphan.getByRole('button', { name: 'Show the entry', exact: true }).click();
  await expect(transcript(page)).toContainText('Who asked this?');
  await expect(inspector(page)).toContainText('"parentId":"nobody"');
});

test('without a mouse: the bytes are read, and the entry before a problem is reached', async ({ page, own }) => {
  await page.goto(await own.serve(damaged()));
  await tabTo(page, button(page));
  await page.keyboard.press('Enter');
  const broken = kind(page, NO_JSON);
  await tabTo(page, broken.getByRole('button', { name: 'Stored bytes' }));
  await page.keyboard.press('Enter');
  const bytes = broken.getByRole('region', { name: 'Stored bytes' });
  await expect(bytes).toContainText('"broken"');
  await tabTo(page, bytes);
  await tabTo(page, broken.getByRole('button', { name: 'Show the entry before it' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(current(page)).toHaveAccessibleName(/Renamed in four files/);
  await expect(current(page)).toBeFocused();
  // The walk goes on from there.
  await page.keyboard.press('j');
  await expect(current(page)).toHaveAccessibleName(/And its test/);
});

test('without a mouse: the entry of a problem is reached, and the list of problems again', async ({ page, own }) => {
  await page.goto(await own.serve(damaged()));
  await tabTo(page, button(page));
  await page.keyboard.press('Enter');
  await tabTo(page, kind(page, /not in the file/).getByRole('button', { name: 'Show the entry', exact: true }));
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toContainText('"parentId":"nobody"');
  await expect(inspector(page).getByRole('tabpanel')).toBeFocused();
  await tabTo(page, button(page), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page)).toBeFocused();
});

test.describe('on a narrow dark window', () => {
  test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });

  test('problems are read, and lead into the transcript', async ({ page, own }) => {
    await page.goto(await own.serve(damaged()));
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await button(page).click();
    const broken = kind(page, NO_JSON);
    await broken.getByRole('button', { name: 'Stored bytes' }).click();
    await expect(broken.getByRole('region', { name: 'Stored bytes' })).toContainText('"broken"');
    await picture(page, 'problems-360-dark');
    await expectAccessible(page);
    const wide = dialog(page).locator('.body');
    expect(await wide.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    await broken.getByRole('button', { name: 'Show the entry before it' }).click();
    await expect(current(page)).toHaveAccessibleName(/Renamed in four files/);
    await expect(current(page)).toBeInViewport();
  });
});
