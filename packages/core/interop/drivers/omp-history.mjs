/**
 * Lets oh-my-pi itself use a prompt history: `bun omp-history.mjs <folder where it is installed>`.
 *
 * request: { path, titles?: [[session, title]], add: [[prompt, cwd?, session?]], queries: [[query, limit]], recent, keepOpen? }
 * answer: { recent: rows, found: rows[], titles: title[] } or { error }
 */
import { createInterface } from 'node:readline';

const load = (name) => import(Bun.resolveSync(`@oh-my-pi/pi-coding-agent/session/${name}`, process.argv[2]));
const { HistoryStorage } = await load('history-storage');
const { Database } = await import('bun:sqlite');

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  process.stdout.write(`@@${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}

async function answer({ path, titles = [], add, queries, recent, keepOpen = false }) {
  try {
    keepTitles(path, titles);
    const history = HistoryStorage.open(path);
    for (const [prompt, cwd, session] of add) await history.add(prompt, cwd ?? undefined, session ?? undefined);
    const found = queries.map(([query, limit]) => history.search(query, limit));
    const result = { recent: history.getRecent(recent), found, titles: storedTitles(path) };
    if (!keepOpen) HistoryStorage.close();
    return result;
  } catch (error) {
    HistoryStorage.close();
    return { error: String(error?.stack ?? error) };
  }
}

/** What its index of titles writes into the same file. */
function keepTitles(path, titles) {
  if (titles.length === 0) return;
  const db = new Database(path);
  db.run(
    'CREATE TABLE IF NOT EXISTS session_titles (session_id TEXT PRIMARY KEY, title TEXT NOT NULL, updated_at INTEGER NOT NULL)',
  );
  for (const title of titles) db.run('INSERT OR REPLACE INTO session_titles VALUES (?, ?, 1)', title);
  db.close();
}

function storedTitles(path) {
  const db = new Database(path, { readonly: true });
  const has = db.query("SELECT 1 FROM sqlite_master WHERE name = 'session_titles'").get() !== null;
  const titles = has ? db.query('SELECT title FROM session_titles ORDER BY session_id').values().flat() : [];
  db.close();
  return titles;
}
