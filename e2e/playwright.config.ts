import { existsSync } from 'node:fs';

import { defineConfig, devices } from '@playwright/test';

import { freePort } from './support/free-port.ts';

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

// Chosen once a run: the workers load this file again and find it in their environment.
const port = (process.env['E2E_PORT'] ??= String(await freePort()));
process.env['E2E_RUNNER'] ??= String(process.pid);
const url = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: './tests',
  // Not the same folder for a run by hand: each run clears its own.
  outputDir: process.env['E2E_REPORT'] === undefined ? './test-results/by-hand' : './test-results/npm-test',
  workers: 2,
  // Build machines are slow, and loaded.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: process.env['E2E_REPORT'] ?? 'test-results/report.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    baseURL: url,
    trace: 'retain-on-failure',
    ...system,
  },
  webServer: {
    command: 'node --import tsx support/serve.ts',
    url: `${url}/api/health`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
