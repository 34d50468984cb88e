import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { existsSync } from 'node:fs';

/** Chromium of the system where there is one, else Playwright's own. */
export function launch(): Promise<Browser> {
  const executablePath =
    process.env['E2E_CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((place) => existsSync(place));
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium's sandbox does not start for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu'],
  });
}

/** Keeps the lengths (ms) of the page's long tasks in `window.longTasks`; for before the page loads. */
export const keepLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const kept: number[] = [];
    Object.assign(globalThis, { longTasks: kept });
    new PerformanceObserver((list) => kept.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: 'longtask',
      buffered: true,
    });
  });

/** The long tasks since the last call. */
export const takeLongTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));

interface TraceEvent {
  name: string;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
  args?: { name?: string };
}

export interface Tasks {
  /** Longest task of the page's main thread, ms on the clock. */
  longestMs: number;
  /** The same in processor time: what a machine without other work would show. */
  longestCpuMs: number;
  /** Tasks over 50 ms of processor time. */
  overCpu: number;
}

/** Runs `work` and tells how long the tasks of the page's main thread were. */
export async function traceTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<Tasks> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map((event) => `${String(event.pid)} ${String(event.tid)}`),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && main.has(`${String(event.pid)} ${String(event.tid)}`));
  const longest = (values: number[]): number => values.reduce((most, value) => Math.max(most, value), 0) / 1000;
  return {
    longestMs: longest(tasks.map((task) => task.dur ?? 0)),
    longestCpuMs: longest(tasks.map((task) => task.tdur ?? 0)),
    overCpu: tasks.filter((task) => (task.tdur ?? 0) > 50_000).length,
  };
}

/** Milliseconds of script, style and layout in the page so far, in processor time. */
export async function workOf(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const seconds = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return (seconds('ScriptDuration') + seconds('LayoutDuration') + seconds('RecalcStyleDuration')) * 1000;
}
