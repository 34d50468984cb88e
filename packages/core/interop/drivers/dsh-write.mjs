/**
 * Lets the harness's own store write and read logs: `node dsh-write.mjs <folder where it is installed>`.
 *
 * request: { root, compression: 'zstd' | 'none', header, batches: line[][] }
 *   batches: one append each; lines as a log has them, rows of streamed pieces too
 * answer: { path, events, surface: seq[], closers: event[] } or { error }
 *   events: as the store reads them back; surface: what the model sees; closers: what it adds to a turn that nobody ended
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const installed = createRequire(join(process.argv[2], 'package.json'));
const load = (name) => import(pathToFileURL(installed.resolve(`@deepseek-ai/${name}`)).href);
const { Context } = await load('cordis');
const { SessionStore, decodeStorageRecord, foldSurface, interruptedTurnClosers } = await load('dsh-session');
const { JsonlSessionPersistence } = await load('dsh-session-persistence-jsonl');

/** One store for each root and encoding. */
const stores = new Map();

async function storeOf(root, compression) {
  const key = `${compression} ${root}`;
  if (!stores.has(key)) {
    const context = new Context();
    await context.plugin(SessionStore);
    await context.plugin(JsonlSessionPersistence, { root, compression });
    stores.set(key, context.get('sessionPersistence'));
  }
  return stores.get(key);
}

async function answer({ root, compression, header, batches }) {
  try {
    const store = await storeOf(root, compression);
    await store.create(header);
    for (const batch of batches)
      await store.append(
        header.id,
        batch.flatMap((line) => decodeStorageRecord(JSON.parse(line))),
      );
    const { path } = store.locate(header);
    const { events } = await store.readFrom(header.id, 0);
    const surface = foldSurface(events).nodes;
    return { path, events, surface, closers: interruptedTurnClosers(events) };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  process.stdout.write(`@@${oneLine(await answer(JSON.parse(line)))}\n`);
}

/** The reader of these lines ends them where Unicode says so, too. */
function oneLine(value) {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
