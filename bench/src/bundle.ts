import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../../apps/web/dist', import.meta.url));
const BUDGET_KB = 170;

/** Everything that the page loads before the first session shows: what index.html names and what the session view imports. */
export function bundleSize(): string {
  const html = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const assets = path.join(dist, 'assets');
  const names = new Set([...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map((match) => match[1]!));
  for (const name of readdirSync(assets)) if (/^SessionView-.*\.(js|css)$/.test(name)) names.add(name);
  for (const name of names) {
    if (!name.endsWith('.js')) continue;
    const code = readFileSync(path.join(assets, name), 'utf8');
    for (const match of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) names.add(match[1]!);
  }
  let bytes = 0;
  for (const name of names) bytes += gzipSync(readFileSync(path.join(assets, name)), { level: 9 }).length;
  const kb = bytes / 1000;
  return `| SPA: script and style before the first session shows, gzip | ≤ ${String(BUDGET_KB)} kB | ${kb.toFixed(0)} kB in ${String(names.size)} files | | ${kb <= BUDGET_KB ? 'held' : '**missed**'} |`;
}
