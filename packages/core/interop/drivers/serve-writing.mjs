/**
 * Reads requests from stdin, one JSON a line, lets a client write and answers what it then holds. See `serve.mjs`.
 *
 * request: { action: 'create' | 'open' | 'fork', cwd, dir, path?, steps: [[name, ...args]], branchAt? }
 * An argument { $entry: n } stands for the id of the entry n (modulo their number).
 * answer: { path, entries, leaf, name, context } or { error }
 */
import { createInterface } from 'node:readline';

/**
 * @param {{
 *   make: (request: object) => Promise<object>,
 *   steps: Record<string, (manager: object, ...args: unknown[]) => unknown>,
 *   state: (manager: object) => Promise<object>,
 * }} client
 */
export async function serveWriting(client) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    process.stdout.write(`@@${oneLine(await answer(client, JSON.parse(line)))}\n`);
  }
}

async function answer({ make, steps, state }, request) {
  try {
    const manager = await make(request);
    const meant = (arg) => (arg?.$entry === undefined ? arg : entryId(manager, arg.$entry));
    for (const [name, ...args] of request.steps) await steps[name](manager, ...args.map(meant));
    if (request.branchAt !== undefined) await manager.createBranchedSession(meant(request.branchAt));
    return await state(manager);
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

function entryId(manager, n) {
  const entries = manager.getEntries();
  return entries[n % entries.length].id;
}

/** The reader of these lines ends them where Unicode says so, too. */
function oneLine(value) {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
