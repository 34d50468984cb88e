import { openSession } from '../support/pages.ts';
import { REDIRECT } from '../support/sessions.ts';
import { expect, test } from '../support/test.ts';

test('the page asks nobody but its own server', async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== baseURL) foreign.push(request.url());
  });
  await openSession(page, REDIRECT.title);
  expect(foreign).toEqual([]);
});

test('the policy of the page allows no inline script or style and nothing from elsewhere', async ({ request }) => {
  const policy = (await request.get('/')).headers()['content-security-policy'] ?? '';
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`script-src 'self'`);
  expect(policy).toContain(`style-src 'self'`);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('a request under another name is refused, for pages and for data', async ({ request }) => {
  for (const path of ['/', '/api/health', '/api/sessions']) {
    const answer = await request.get(path, { headers: { host: 'attacker.example' } });
    expect([400, 403, 421]).toContain(answer.status());
    expect(await answer.text()).not.toContain('sessions');
  }
});
