import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

import { startServer } from '@stemma/api';
import { DIALECTS, SessionStoreError } from '@stemma/core';

import { findAgentFolders } from './agent-folders.ts';
import { isTaken, listenFrom } from './listen.ts';
import { openBrowser } from './open-browser.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import { closeOnSignal } from './signals.ts';

/** Exit code for a command line that makes no sense. */
const USAGE = 2;

const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** The folders to serve. `--demo` alone shows nothing of the person's own; without any folder there is the demo. */
function chooseRoots(options: Options) {
  if (options.roots.length > 0) return { roots: options.roots, looked: [], demo: options.demo };
  if (options.demo) return { roots: [], looked: [], demo: true };
  const { roots, looked } = findAgentFolders(homedir(), process.env, isFolder);
  return { roots, looked, demo: roots.length === 0 };
}

/** The folder in which the agents' host notes which sessions are paused, where it says so. */
function journalIn(env: Record<string, string | undefined>): { journal?: string } {
  const named = env['JOURNAL_DIR'] ?? '';
  return named === '' ? {} : { journal: path.resolve(named) };
}

async function serve(options: Options): Promise<void> {
  const webRoot = path.resolve(import.meta.dirname, '../../web/dist');
  const chosen = chooseRoots(options);
  const journal = journalIn(process.env);
  const server = await listenFrom(options.port, (port) =>
    startServer({ host: options.host, port, ...chosen, ...journal, webRoot }),
  );
  closeOnSignal(() => server.close());
  // What a person may wonder about goes to the error stream: the address stays the only line of the output.
  for (const note of notes(options, chosen, server.port)) process.stderr.write(`${note}\n`);
  process.stdout.write(`Stemma is at ${server.url}\n`);
  if (options.open) openBrowser(server.url);
}

/** What is not as the person may have expected. */
function notes(options: Options, chosen: ReturnType<typeof chooseRoots>, port: number): string[] {
  const told: string[] = [];
  if (options.port !== 0 && options.port !== port) told.push(`Port ${options.port} is taken.`);
  if (chosen.looked.length > 0 && chosen.demo) {
    const places = chosen.looked.map(({ path: place }) => place).join(', ');
    told.push(`No sessions were found in ${places}: these are generated ones. Name a folder with --root.`);
  }
  return told;
}

/** One sentence for what a person can mend; undefined for what is our own fault and deserves its stack. */
function sentence(error: unknown, options: Options): string | undefined {
  if (isTaken(error)) return `Port ${options.port} and the ports after it are taken: choose another with --port.`;
  if (error instanceof SessionStoreError) {
    const named = options.roots.find(({ path: place }) => place === error.data['path']);
    const mayBeHint = named !== undefined && /:\w+$/.test(named.path);
    return mayBeHint ? `${error.message} (A hint after the colon is one of ${DIALECTS.join(', ')}.)` : error.message;
  }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
    return `Port ${options.port} needs rights that Stemma should not have: choose one above 1023 with --port.`;
  }
  return undefined;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2), { cwd: process.cwd(), home: homedir() });
  if ('problem' in options) {
    process.stderr.write(`${options.problem}\n`);
    process.exitCode = USAGE;
  } else if (options.help) {
    process.stdout.write(HELP);
  } else if (options.version) {
    const manifest = createRequire(import.meta.url)('../package.json') as { version: string };
    process.stdout.write(`${manifest.version}\n`);
  } else {
    try {
      await serve(options);
    } catch (error) {
      const text = sentence(error, options);
      if (text === undefined) throw error;
      process.stderr.write(`${text}\n`);
      process.exitCode = error instanceof SessionStoreError && error.code === 'invalid_root' ? USAGE : 1;
    }
  }
}

await main();
