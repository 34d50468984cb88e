/** What the session page costs in a browser, one JSON line a session. Budgets: `docs/benchmarks.md`. */
import type { Browser, CDPSession, Page } from '@playwright/test';

import { keepLongTasks, launch, takeLongTasks, traceTasks, workOf } from './browser.ts';
import { serveSessions, SESSIONS } from './server.ts';

const FRAMES = 120;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Milliseconds from leaving the library for a session, as its link does, until the transcript shows an entry. */
async function open(page: Page, url: string, key: string): Promise<number> {
  await page.goto(url);
  await page.locator('main').waitFor();
  await page.waitForTimeout(500);
  await takeLongTasks(page);
  return page.evaluate(
    async (address) => {
      const begin = performance.now();
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
      while (document.querySelector('[role=feed] article .blocks') === null) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (performance.now() - begin > 60_000) throw new Error('no transcript');
      }
      return performance.now() - begin;
    },
    `/s/${encodeURIComponent(key)}`,
  );
}

/** Script, style and layout of each frame (ms of processor time) while `move` is done frame by frame. */
async function frames(page: Page, cdp: CDPSession, move: (frame: number) => Promise<void>): Promise<number[]> {
  const costs: number[] = [];
  let before = await workOf(cdp);
  for (let frame = 0; frame < FRAMES; frame++) {
    await move(frame);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const now = await workOf(cdp);
    costs.push(now - before);
    before = now;
  }
  return costs;
}

async function measure(browser: Browser, url: string, key: string): Promise<Record<string, unknown>> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await keepLongTasks(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await open(page, url, key); // warms the server, and the browser's code
    await page.waitForTimeout(1500);
    const openings: number[] = [];
    const opening = await traceTasks(browser, page, async () => {
      for (let i = 0; i < 3; i++) {
        openings.push(await open(page, url, key));
        await page.waitForTimeout(1500);
      }
    });
    const openLong = await takeLongTasks(page);
    const outline = page.getByRole('tree', { name: 'Outline' });
    const switching = await traceTasks(browser, page, async () => {
      await outline.focus();
      for (const key of ['Home', 'Enter', 'End', 'Enter', 'Home', 'Enter']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(700);
      }
    });
    const switchLong = await takeLongTasks(page);
    const feed = await page.getByRole('feed').boundingBox();
    const map = await page.getByRole('tree', { name: 'Map' }).boundingBox();
    if (feed === null || map === null) throw new Error('The page has no transcript or no map.');
    await page.mouse.move(feed.x + feed.width / 2, feed.y + feed.height / 2);
    const scroll = await frames(page, cdp, (frame) => page.mouse.wheel(0, frame < FRAMES / 2 ? 160 : -160));
    await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
    await page.mouse.down();
    const pan = await frames(page, cdp, (frame) =>
      page.mouse.move(map.x + map.width / 2 - ((frame * 3) % 90), map.y + map.height / 2 - ((frame * 7) % 160)),
    );
    await page.mouse.up();
    return {
      firstTranscriptMs: Math.round(median(openings)),
      open: { longTasks: openLong.map(Math.round), ...rounded(opening) },
      switchBranch: { longTasks: switchLong.map(Math.round), ...rounded(switching) },
      scrollFrameMs: round(median(scroll)),
      panFrameMs: round(median(pan)),
      moveLongTasks: (await takeLongTasks(page)).map(Math.round),
      domNodes: await page.evaluate(() => document.querySelectorAll('*').length),
    };
  } finally {
    await page.close();
  }
}

const rounded = (tasks: object): object =>
  Object.fromEntries(Object.entries(tasks).map(([name, value]) => [name, round(value as number)]));

const server = await serveSessions();
const browser = await launch();
try {
  for (const [index, name] of Object.keys(SESSIONS).entries()) {
    console.log(JSON.stringify({ session: name, ...(await measure(browser, server.url, server.keys[index] ?? '')) }));
  }
} finally {
  await browser.close();
  server.close();
}
