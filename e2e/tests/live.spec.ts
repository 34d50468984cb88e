import type { Page } from '@playwright/test';

import { test } from '../support/own-session.ts';
import { outline, transcript, tree } from '../support/pages.ts';
import { SessionFile } from '../support/session-file.ts';
import { expect, expectAccessible, picture } from '../support/test.ts';

/** A conversation of some turns, each longer than a line. */
function conversation(turns: number): SessionFile {
  const file = new SessionFile('0195a1c0-0000-7000-8000-00000000000a', '/home/ada/work/live');
  for (let turn = 1; turn <= turns; turn++) {
    file.user(`Question ${turn}, please.`);
    file.assistant(`Answer ${turn}.\n\n${'It has a second paragraph. '.repeat(20)}`);
  }
  return file;
}

const feed = (page: Page) => page.getByRole('feed');
const article = (page: Page, name: RegExp) => feed(page).getByRole('article', { name });
/** Looks happen every two seconds, on machines that do other things as well. */
const SOON = { timeout: 15_000 };

test('a reader at the end goes on with a session that grows, in all panes', async ({ page, own }) => {
  const file = conversation(6);
  await page.goto(await own.serve(file));
  await expect(article(page, /Answer 6/)).toBeInViewport();
  file.user('Question 7, please.');
  file.assistant('Answer 7, the last.');
  own.append(file);
  await expect(article(page, /Answer 7/)).toBeInViewport(SOON);
  await expect(outline(page).getByRole('treeitem', { name: /Answer 7/ })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Figures of the session' })).toContainText('14 entries');
  await expect(tree(page).getByRole('treeitem', { name: /14 entries/ })).toHaveAccessibleName(/leaf of the shown branch/);
  await expect(page.getByRole('button', { name: /new entr/ })).toHaveCount(0);
});

test('a reader further up keeps the place, is told what came, and goes there', async ({ page, own }) => {
  const file = conversation(30);
  await page.goto(await own.serve(file));
  await outline(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const first = article(page, /Question 1,/);
  await expect(first).toBeInViewport();
  // The place that was asked for is held for two seconds while heights settle.
  await page.waitForTimeout(2_200);
  await page.mouse.move(720, 400);
  await page.mouse.wheel(0, 300);
  const second = article(page, /Question 2,/);
  await expect(second).toBeInViewport();
  await page.waitForTimeout(300);
  const top = (): Promise<number> => second.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();

  file.user('Question 31, please.');
  file.assistant('Answer 31, the last.');
  own.append(file);
  const news = transcript(page).getByRole('button', { name: '2 new entries' });
  await expect(news).toBeVisible(SOON);
  await expect(outline(page).getByRole('treeitem', { name: /Question 1,/ })).toHaveAttribute('aria-selected', 'true');
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  await picture(page, 'new-entries');
  await expectAccessible(page);

  await news.click();
  await expect(article(page, /Answer 31/)).toBeInViewport();
  await expect(news).toHaveCount(0);
});

test('a reader on another branch stays there and is told what came on the session’s own', async ({ page, own }) => {
  const file = new SessionFile('0195a1c0-0000-7000-8000-00000000000b', '/home/ada/work/live');
  file.user('Where to begin?');
  const fork = file.assistant('Here or there.');
  file.user('Begin there.');
  file.assistant('There it is.');
  file.goTo(fork);
  file.user('Begin here.');
  await page.goto(await own.serve(file));
  await outline(page)
    .getByRole('treeitem', { name: /There it is/ })
    .click();
  await expect(transcript(page)).toContainText('Begin there.');
  file.assistant('Here it is.');
  own.append(file);
  const status = page.getByRole('status').filter({ hasText: '1 new entry on the session’s own branch.' });
  await expect(status).toBeVisible(SOON);
  await expect(transcript(page)).toContainText('There it is.');
  await expect(transcript(page)).not.toContainText('Here it is.');
  await status.getByRole('button', { name: 'Show it' }).click();
  await expect(transcript(page)).toContainText('Here it is.');
  await expect(status).toHaveCount(0);
});

test('a line that was torn while it was written is read once it is whole', async ({ page, own }) => {
  const file = conversation(2);
  const url = await own.serve(`${file.toString()}{"type":"mess`);
  await page.goto(url);
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible();
  // The next entry begins with what stands there.
  file.user('Question 3, please.');
  own.append(file);
  await expect(article(page, /Question 3/)).toBeVisible(SOON);
  await expect(page.getByRole('button', { name: /problem/ })).toHaveCount(0);
});

test.describe('a file that is rewritten', () => {
  // What the page asks in the moment between may be of the file that was there before.
  test.use({ allowedErrors: [/404/] });

  test('is shown anew, and said so', async ({ page, own }) => {
    await page.goto(await own.serve(conversation(20)));
    await outline(page)
      .getByRole('treeitem', { name: /Question 19/ })
      .click();
    await expect(article(page, /Question 19/)).toHaveAttribute('aria-current', 'true');
    await expect(page).toHaveURL(/entry=/);

    const other = new SessionFile('0195a1c0-0000-7000-8000-00000000000a', '/home/ada/work/live');
    other.user('Only this is left.');
    own.replace(other);
    await expect(article(page, /Only this is left/)).toBeVisible(SOON);
    await expect(feed(page).getByRole('article')).toHaveCount(1);
    await expect(outline(page).getByRole('treeitem')).toHaveCount(1);
    const notices = page.getByRole('status').filter({ hasText: 'The file was rewritten meanwhile' });
    await expect(notices).toContainText('The entry of this address is not in the session.');
    await picture(page, 'rewritten');
    await expectAccessible(page);
    await notices.getByRole('button', { name: 'Dismiss' }).last().click();
    await expect(page).not.toHaveURL(/entry=/);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notices).toHaveCount(0);

    // It is followed as any other.
    other.assistant('And this came after it.');
    own.append(other);
    await expect(article(page, /And this came after it/)).toBeVisible(SOON);
  });
});
