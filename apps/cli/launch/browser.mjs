import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { logPath, run, tool } from './run.mjs';
import { at, LaunchError, say } from './workspace.mjs';

const LOG = 'browser.log';

/** Where systems keep a Chromium that Playwright can drive; `e2e/playwright.config.ts` is given the one that was found. */
const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds a browser for the end-to-end tests, or fetches one.
 * @returns {Promise<Record<string, string>>} environment that tells Playwright which; throws a LaunchError with the reason
 */
export async function ensureBrowser() {
  const named = process.env['E2E_CHROMIUM'];
  if (named !== undefined && !existsSync(named)) throw new LaunchError(`E2E_CHROMIUM names ${named}, which does not exist.`);
  const found = named ?? installed();
  if (found !== undefined) return { E2E_CHROMIUM: found };
  if (existsSync(bundled())) return { E2E_BROWSER: 'bundled' };
  return fetchBrowser();
}

const installed = () => KNOWN_PLACES.find((place) => existsSync(place));

/** Where Playwright keeps the browser that it downloads. */
function bundled() {
  const load = createRequire(at('e2e/package.json'));
  return load('@playwright/test').chromium.executablePath();
}

/** @returns {Promise<Record<string, string>>} */
async function fetchBrowser() {
  const apt = '/usr/bin/apt-get';
  if (process.getuid?.() === 0 && existsSync(apt)) {
    say('No Chromium found; installing it with apt-get…');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const updated = await run([apt, 'update'], { log: LOG, env });
    const packages = ['chromium', 'fonts-noto-cjk'];
    if (updated === 0) await run([apt, 'install', '-y', '--no-install-recommends', ...packages], { log: LOG, env });
    const found = installed();
    if (found !== undefined) return { E2E_CHROMIUM: found };
  }
  say('No Chromium found; downloading the one that Playwright brings…');
  const code = await run([...tool('@playwright/test', 'playwright', 'e2e'), 'install', 'chromium'], {
    cwd: at('e2e'),
    log: `download-${LOG}`,
  });
  if (code === 0 && existsSync(bundled())) return { E2E_BROWSER: 'bundled' };
  throw new LaunchError(
    'The end-to-end tests need a browser and none could be fetched: install Chromium, or name one with E2E_CHROMIUM=/path, ' +
      `and run the command again (details in ${path.dirname(logPath(LOG))}).`,
  );
}
