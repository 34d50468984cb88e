import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { Command } from '../support/command.ts';
import { sessionLinks } from '../support/pages.ts';
import { writeSessions } from '../support/sessions.ts';
import { expect, picture, test as base } from '../support/test.ts';

const test = base.extend<{ command: Command; other: Command }>({
  // eslint-disable-next-line no-empty-pattern -- the runner reads what a fixture needs from this pattern
  command: async ({}, use) => {
    const command = new Command();
    await use(command);
    await command.end();
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  other: async ({}, use) => {
    const command = new Command();
    await use(command);
    await command.end();
  },
});

test('without any session folder it shows a demo, and says so', async ({ page, command }) => {
  await page.goto(await command.start('--no-open', '--port', '0').address());
  await expect(page.getByText('You are looking at generated demo data.')).toBeVisible();
  const rows = sessionLinks(page);
  await expect(rows.first()).toBeVisible();
  expect(Number(await page.locator('li[aria-setsize]').first().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(12);
  await rows.filter({ hasText: 'Rate limit for the public API' }).click();
  await page.getByRole('tab', { name: 'Sees', exact: true }).click();
  await expect(page.getByText(/the model gets \d+ messages/)).toBeVisible();
  await picture(page, 'demo');
});

test('agent folders in the home folder are found', async ({ page, command }) => {
  writeSessions(path.join(command.home, '.pi/agent'));
  await page.goto(await command.start('--no-open', '--port', '0').address());
  await expect(page.getByRole('heading', { name: '3 sessions' })).toBeVisible();
  await expect(page.getByText('You are looking at generated demo data.')).toBeHidden();
});

test('an agent folder without sessions is an empty state that says where it looked', async ({ page, command }) => {
  mkdirSync(path.join(command.home, '.pi/agent/sessions'), { recursive: true });
  await page.goto(await command.start('--no-open', '--port', '0').address());
  await expect(page.getByRole('heading', { name: 'No sessions found' })).toBeVisible();
  await expect(page.getByText('.musepi/agent')).toBeVisible();
  await picture(page, 'empty');
});

test('a busy port moves on to the next', async ({ command, other }) => {
  const first = new URL(await command.start('--no-open', '--demo', '--port', '0').address());
  const second = new URL(await other.start('--no-open', '--demo', '--port', first.port).address());
  expect(Number(second.port)).toBeGreaterThan(Number(first.port));
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`it ends well after ${signal}`, async ({ command }) => {
    const address = await command.start('--no-open', '--demo', '--port', '0').address();
    await fetch(`${address}/api/health`);
    const ended = command.ended();
    command.signal(signal);
    expect(await ended).toEqual({ code: 0, said: `Stemma is at ${address}\n`, complained: '' });
  });
}

for (const { options, words } of [
  { options: ['--host', '0.0.0.0'], words: 'refused' },
  { options: ['--root', '/nowhere/at/all'], words: '/nowhere/at/all' },
  { options: ['--frobnicate'], words: 'Unknown option --frobnicate' },
]) {
  test(`${options.join(' ')} is answered with one sentence`, async ({ command }) => {
    const { code, said, complained } = await command.start(...options).ended();
    expect(code).toBe(2);
    expect(said).toBe('');
    expect(complained).toContain(words);
    expect(complained).toMatch(/^[^\n]+\.\n$/);
  });
}
