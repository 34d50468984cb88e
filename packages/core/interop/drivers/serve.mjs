/**
 * Reads requests from stdin, one JSON a line, and answers each on stdout behind a mark, so that whatever else a client
 * prints does no harm. Runs in the client's own runtime.
 *
 * request: { path, cases: [{ leaf?: string | null, options? }] }
 * answer: { results: [{ context } | { error }] } or { error }
 */
import { createInterface } from 'node:readline';

/** @param {(request: { path: string }) => Promise<(one: { leaf?: string | null, options?: object }) => unknown>} open */
export async function serve(open) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    process.stdout.write(`@@${JSON.stringify(await answer(open, JSON.parse(line)))}\n`);
  }
}

async function answer(open, request) {
  try {
    const build = await open(request);
    return { results: request.cases.map((one) => attempt(() => build(one))) };
  } catch (error) {
    return { error: String(error) };
  }
}

function attempt(build) {
  try {
    return { context: build() };
  } catch (error) {
    return { error: String(error) };
  }
}
