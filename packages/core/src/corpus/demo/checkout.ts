import { bash, bashFails, edit, read } from './calls.ts';
import { checkoutPage, swatch } from './pictures.ts';
import { Tale } from './tale.ts';

/** A browser test that fails only on CI; screenshots in prompts and in a tool result. */
export function checkout(time: number): Tale {
  const tale = new Tale({ shapes: 'musepi', project: 'work/shop', title: 'Checkout test clicks the cookie banner', time });
  tale
    .user('The checkout test is flaky on CI since Tuesday. This is the screenshot it left:', 1, checkoutPage(true))
    .step(
      'The yellow bar covers the pay button at the bottom right. That looks like the cookie banner.',
      'The yellow banner lies over the pay button. Let me see what the test does before it clicks.',
      read('e2e/checkout.spec.ts', SPEC),
      bash('git log --oneline --since="last monday" -- src/banner', 'c4d1e9a Show the cookie banner until it is answered\n'),
    )
    .answer(WHY)
    .user('Right. Do not click it away in every test, set the consent once.', 2)
    .step(
      '',
      'A storage state with the consent cookie, used by all projects of the browser tests:',
      edit(
        'playwright.config.ts',
        18,
        "  use: { baseURL: 'http://localhost:4173' },",
        "  use: { baseURL: 'http://localhost:4173', storageState: 'e2e/consent.json' },",
        ['export default defineConfig({', "  testDir: 'e2e',"],
        ['});'],
      ),
      {
        tool: 'write',
        args: { path: 'e2e/consent.json', content: CONSENT },
        out: `Successfully wrote ${CONSENT.length} bytes to e2e/consent.json`,
      },
    )
    .step('', '', bashFails('npx playwright test checkout --repeat-each 20', RUN_BAD))
    .step(
      'Cookie domain must match: localhost with no port.',
      'The cookie was set for `shop.example`, so the browser never sent it to localhost.',
      edit('e2e/consent.json', 5, '"domain": "shop.example"', '"domain": "localhost"'),
      bash('npx playwright test checkout --repeat-each 20', RUN_GOOD),
      {
        tool: 'read',
        args: { path: 'test-results/checkout/pay.png' },
        out: 'Read image file [image/png]',
        image: checkoutPage(false),
      },
    )
    .answer(
      '20 of 20 pass, and the screenshot shows the button free. The banner has its own test, which keeps using an empty state.',
    )
    .user('While we are at it: is this green the one from the design tokens?', 6, swatch(0x2e8b57))
    .step('', '', bash("grep -n 'success' src/tokens.css", '12:  --success: #2e8b57;\n'))
    .answer('Yes, `#2e8b57` is `--success`. The button reads it through the token, so it will follow when the token changes.');
  return tale;
}

const SPEC = `import { expect, test } from '@playwright/test';

test('a guest can pay', async ({ page }) => {
  await page.goto('/cart?fixture=two-items');
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
});
`;

const WHY = `Commit c4d1e9a made the banner stay until it is answered. It slides in after **400 ms**; on your machine the click comes earlier, on CI
it comes later and hits the banner. So it is not the test that is flaky, it is a race that a visitor on a slow phone has too.

Two fixes, and I would do both:

- the tests start with the consent given
- the banner leaves room at the bottom of the page, so that it never covers a button`;

const CONSENT = `{
  "cookies": [
    {
      "name": "consent",
      "domain": "shop.example",
      "path": "/",
      "value": "necessary"
    }
  ]
}
`;

const RUN_BAD = `Running 20 tests using 4 workers

  \u001b[31m✘\u001b[39m  1 [chromium] › e2e/checkout.spec.ts:3:1 › a guest can pay \u001b[2m(5.1s)\u001b[22m
  \u001b[31m✘\u001b[39m  2 [chromium] › e2e/checkout.spec.ts:3:1 › a guest can pay \u001b[2m(5.2s)\u001b[22m

    Error: locator.click: Timeout 5000ms exceeded.
      - <div class="banner"> intercepts pointer events

  \u001b[31m20 failed\u001b[39m
`;

const RUN_GOOD = `Running 20 tests using 4 workers
\u001b[2m····················\u001b[22m
  \u001b[32m20 passed\u001b[39m \u001b[2m(14.8s)\u001b[22m
`;
