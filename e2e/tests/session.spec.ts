import { figure, inspector, openSession, outline, transcript, tree } from '../support/pages.ts';
import { DAMAGED, REDIRECT } from '../support/sessions.ts';
import { expect, expectAccessible, picture, test } from '../support/test.ts';

test('the tree is walked with the keyboard, and transcript and inspector follow', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const map = tree(page);
  await map.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(map.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/Why does the login page/);
  const first = await figure(inspector(page), 'id').innerText();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(map.getByRole('treeitem', { selected: true })).not.toHaveAccessibleName(/Why does the login page/);
  await expect(figure(inspector(page), 'id')).not.toHaveText(first);
  await expect(transcript(page).locator('article[aria-current="true"]')).toBeInViewport();
});

test('the outline selects an entry everywhere', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await outline(page)
    .getByRole('treeitem', { name: /The proxy rewrites/ })
    .click();
  await expect(transcript(page).getByRole('article', { name: /The proxy rewrites/ })).toHaveAttribute('aria-current', 'true');
  await expect(figure(inspector(page), 'type')).toHaveText('message');
  await expect(figure(inspector(page), 'in the file')).toContainText('line 9');
  await expect(figure(inspector(page), 'for the model')).toContainText('folded');
  await page.getByRole('button', { name: 'As stored' }).click();
  await expect(inspector(page)).toContainText('"type":"message"');
});

test('a tool call shows its command and, opened, its output', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const call = transcript(page).getByRole('button', { name: /^bash/ });
  await expect(call).toContainText(REDIRECT.command);
  await expect(transcript(page).getByText(REDIRECT.output)).toBeHidden();
  await call.click();
  await expect(transcript(page).getByText(REDIRECT.output)).toBeVisible();
});

test('another branch is shown, and Back returns to the first', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await expect(transcript(page)).toContainText(REDIRECT.activeAnswer);
  await expect(transcript(page)).not.toContainText(REDIRECT.abandonedAnswer);
  await tree(page)
    .getByRole('treeitem', { name: /^Store the session/ })
    .click();
  await expect(transcript(page)).toContainText(REDIRECT.abandonedAnswer);
  await expect(transcript(page)).not.toContainText(REDIRECT.activeAnswer);
  await expect(page).toHaveURL(/[?&]leaf=/);
  await picture(page, 'other-branch');
  await page.goBack();
  await expect(transcript(page)).toContainText(REDIRECT.activeAnswer);
});

test('a compaction is read where it happened', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const card = transcript(page).getByRole('article', { name: /^compaction/ });
  await expect(card).toContainText('48k');
  await expect(card.getByText(REDIRECT.summary)).toBeHidden();
  await card.getByRole('button', { name: /read the compaction/ }).click();
  await expect(card.getByText(REDIRECT.summary)).toBeVisible();
});

test('the report of a compaction says what it folded and what it kept', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await page.getByRole('tab', { name: /^Compactions/ }).click();
  const report = page.getByRole('region', { name: 'Compaction 1' });
  await expect(figure(report, 'Folded')).toContainText('8 entries');
  await expect(figure(report, 'Kept')).toContainText('2 entries');
  await expect(report).toContainText(REDIRECT.summary);
  await picture(page, 'compactions');
});

test('what the model sees at the leaf', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await page.getByRole('tab', { name: 'As the model sees it' }).click();
  const seen = page.getByRole('feed').getByRole('article');
  await expect(seen).toHaveCount(5);
  await expect(seen.first()).toHaveAccessibleName(/^compaction/);
  await expect(transcript(page)).not.toContainText(REDIRECT.folded);
  await expect(transcript(page)).toContainText(REDIRECT.activeAnswer);

  await page.getByRole('tab', { name: 'Sees', exact: true }).click();
  await expect(inspector(page)).toContainText('the model gets 5 messages');
  await expect(figure(inspector(page), 'folded')).toContainText('6');
  await expect(figure(inspector(page), 'other branch')).toContainText('2');
  await expect(figure(inspector(page), 'model, default')).toHaveText('anthropic/claude-sonnet-4-5');
  await picture(page, 'as-the-model-sees-it');
});

test('what the model would have seen on the other branch, which was never compacted', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  await tree(page)
    .getByRole('treeitem', { name: /^Store the session/ })
    .click();
  await page.getByRole('tab', { name: 'As the model sees it' }).click();
  await expect(transcript(page)).toContainText('10 messages');
  await expect(transcript(page)).toContainText(REDIRECT.folded);
});

test('an address restores session, branch and entry', async ({ page, context }) => {
  await openSession(page, REDIRECT.title);
  await tree(page)
    .getByRole('treeitem', { name: /^Store the session/ })
    .click();
  await outline(page)
    .getByRole('treeitem', { name: /The proxy rewrites/ })
    .click();
  await expect(page).toHaveURL(/leaf=.*entry=|entry=.*leaf=/);

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(transcript(other)).toContainText(REDIRECT.abandonedAnswer);
  const article = transcript(other).getByRole('article', { name: /The proxy rewrites/ });
  await expect(article).toHaveAttribute('aria-current', 'true');
  await expect(article).toBeInViewport();
  await expect(figure(inspector(other), 'in the file')).toContainText('line 9');
});

test('an address of an entry that is not there shows the session and says so', async ({ page }) => {
  await openSession(page, REDIRECT.title);
  const { pathname } = new URL(page.url());
  await page.goto(`${pathname}?entry=never`);
  await expect(page.getByText('The entry of this address is not in the session.')).toBeVisible();
  await expect(transcript(page)).toContainText(REDIRECT.activeAnswer);
});

test.describe('an address of a session that is not there', () => {
  test.use({ allowedErrors: [/404/] });

  test('says so and leads back', async ({ page }) => {
    await page.goto('/s/pi-00000000~0000000000000000');
    await expect(page.getByText('This session is not there any more.')).toBeVisible();
    await page
      .getByRole('link', { name: /library/i })
      .first()
      .click();
    await expect(page.getByRole('region', { name: 'Sessions' })).toBeVisible();
  });
});

test('a damaged file shows what could be read, and names line and reason of what could not', async ({ page }) => {
  await openSession(page, DAMAGED.prompt);
  for (const text of [DAMAGED.prompt, DAMAGED.answer, DAMAGED.after]) await expect(transcript(page)).toContainText(text);
  await page.getByRole('button', { name: '2 problems' }).click();
  await expect(page.getByRole('dialog')).toContainText('A line is not valid JSON.');
  await expect(page.getByRole('dialog')).toContainText('line 4');
  await expect(page.getByRole('dialog')).toContainText('The last line is incomplete');
  await expect(page.getByRole('dialog')).toContainText('line 6');
  await picture(page, 'problems');
});

test('the session page has no violation that axe can find', async ({ page }) => {
  test.slow();
  await openSession(page, REDIRECT.title);
  await picture(page, 'session');
  await expectAccessible(page);
  for (const name of [/^Compactions/, 'As the model sees it']) {
    await page.getByRole('tab', { name }).click();
    await expectAccessible(page);
  }
  for (const name of ['Sees', 'Facts']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expectAccessible(page);
  }
});
