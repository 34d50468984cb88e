import type { Page } from '@playwright/test';

import { openByKeyboard, tabTo } from '../support/keyboard.ts';
import { openSession, transcript } from '../support/pages.ts';
import { REDIRECT } from '../support/sessions.ts';
import { expect, picture, test } from '../support/test.ts';

const timeline = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
const current = (page: Page) => transcript(page).locator('article[aria-current="true"]');
const value = async (page: Page): Promise<number> => Number(await timeline(page).getAttribute('aria-valuenow'));

test('a click on the timeline shows what was said then, on whatever branch', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const box = await timeline(page).boundingBox();
  if (box === null) throw new Error('There is no timeline.');
  // It ends at the leaf, and begins with the session.
  await expect(timeline(page)).toHaveAttribute('aria-valuetext', /2 March 2026 at 10:16/);
  await page.mouse.click(box.x + 17, box.y + 20);
  await expect(timeline(page)).toHaveAttribute('aria-valuetext', /2 March 2026 at 10:01/);
  // Sixteen entries, a minute each: the eleventh is on the branch that was left.
  await page.mouse.move(box.x + 16 + ((box.width - 32) * 11) / 15, box.y + 20);
  await expect(timeline(page)).toContainText('1 entry');
  await page.mouse.click(box.x + 16 + ((box.width - 32) * 11) / 15, box.y + 20);
  await expect(transcript(page)).toContainText(REDIRECT.abandonedAnswer);
  await expect(current(page)).toHaveAccessibleName(/A signed token would avoid/);
  await picture(page, 'timeline');
});

test('without a mouse: the timeline is walked along the shown branch, from its end to its beginning and back', async ({
  page,
}) => {
  await openByKeyboard(page, REDIRECT.title);
  await tabTo(page, timeline(page));
  const last = Number(await timeline(page).getAttribute('aria-valuemax'));
  // Fourteen of the sixteen entries are on the shown branch.
  expect([await timeline(page).getAttribute('aria-valuemin'), last, await value(page)]).toEqual(['0', 13, 13]);

  await page.keyboard.press('ArrowLeft');
  expect(await value(page)).toBe(12);
  await expect(timeline(page)).toHaveAttribute('aria-valuetext', /The cookie is now set/);
  await expect(current(page)).toHaveAccessibleName(/The cookie is now set/);
  await page.keyboard.press('Home');
  await expect.poll(() => value(page)).toBe(0);
  await page.keyboard.press('ArrowLeft');
  expect(await value(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => value(page)).toBe(2);
  await expect(current(page)).toHaveAccessibleName(/Why does the login page/);
  // The branch that was left is passed over.
  const seen: string[] = [];
  for (let step = 0; step < 11; step++) {
    await page.keyboard.press('ArrowRight');
    seen.push((await timeline(page).getAttribute('aria-valuetext')) ?? '');
  }
  expect(seen.join('\n')).not.toContain('signed token instead');
  expect(await value(page)).toBe(last);
  await page.keyboard.press('PageDown');
  const far = await value(page);
  expect(far).toBeLessThan(last);
  await page.keyboard.press('PageUp');
  expect(await value(page)).toBeGreaterThan(far);
  await page.keyboard.press('End');
  await expect.poll(() => value(page)).toBe(last);
  await expect(timeline(page)).toBeFocused();
});
