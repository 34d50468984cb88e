import { existsSync } from 'node:fs';

import { defineConfig, devices } from '@playwright/test';

import { prepareRun } from './support/run.ts';

// The Chromium of the system where there is one; `npm test` names what it found or fetched.
const executablePath =
  process.env['E2E_CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((place) => existsSync(place));
const system =
  process.env['E2E_BROWSER'] === 'bundled' || executablePath === undefined
    ? {}
    : {
        launchOptions: {
          executablePath,
          // Chromium's sandbox does not start for root.
          chromiumSandbox: process.getuid?.() !== 0,
          args: [
            '--disable-gpu',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      };

const run = await prepareRun();

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: process.env['E2E_REPORT'] ?? 'test-results/report.json' }]],
  globalTeardown: './support/teardown.ts',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    baseURL: run.url,
    trace: 'retain-on-failure',
    ...system,
  },
  webServer: {
    command: run.command,
    url: `${run.url}/api/health`,
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
