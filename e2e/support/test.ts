import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

interface Watch {
  /** Console errors that a test provokes on purpose. */
  allowedErrors: RegExp[];
  complaints: string[];
}

/** Playwright's test, with one thing more: it fails when the browser complained about anything, the CSP above all. */
export const test = base.extend<Watch>({
  allowedErrors: [[], { option: true }],
  complaints: [
    async ({ context, allowedErrors }, use) => {
      const complaints: string[] = [];
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', (event) => {
          console.error(`CSP ${event.effectiveDirective} refused ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
        });
      });
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await use(complaints);
      expect(complaints.filter((text) => !allowedErrors.some((allowed) => allowed.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Keeps a picture of the page in e2e/screenshots, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.resolve(import.meta.dirname, '../screenshots', `${name}.png`), animations: 'disabled' });
}

/** No violation of the WCAG rules that axe can test. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id} at ${node.target.join(' ')}: ${rule.help}`));
  expect(found).toEqual([]);
}
