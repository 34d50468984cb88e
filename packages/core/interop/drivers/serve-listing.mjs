/**
 * Reads requests from stdin, one JSON a line, and answers what a client lists. See `serve.mjs`.
 *
 * request: { root, args }: the folder with the buckets, and what somebody may type to resume a session
 * answer: { all, folders, resumed? } or { error }
 */
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

/** @param {{ all(root: string): Promise<object[]>, folder(path: string, cwd: string): Promise<object[]>, resume?(arg: string): Promise<string | null> }} client */
export async function serveListing(client) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    process.stdout.write(`@@${JSON.stringify(await answer(client, JSON.parse(line)))}\n`);
  }
}

async function answer(client, { root, args }) {
  try {
    const all = await client.all(root);
    const folders = {};
    for (const name of readdirSync(root)) {
      const cwd = all.find(({ path }) => path.startsWith(join(root, name, '/')))?.cwd ?? '/';
      folders[name] = await client.folder(join(root, name), cwd);
    }
    if (client.resume === undefined) return { all, folders };
    const resumed = [];
    for (const arg of args) resumed.push(await client.resume(arg));
    return { all, folders, resumed };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}
