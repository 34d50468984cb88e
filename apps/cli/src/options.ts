import path from 'node:path';
import { parseArgs } from 'node:util';

import { DIALECTS, type RootSpec } from '@stemma/core';

import { expandHome } from './home.ts';

export interface Options {
  /** 0 lets the system choose. */
  port: number;
  host: string;
  /** Empty: look for agent folders. */
  roots: RootSpec[];
  demo: boolean;
  open: boolean;
  help: boolean;
  version: boolean;
}

export const DEFAULT_PORT = 4317;
const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

const KNOWN = {
  port: { type: 'string' },
  host: { type: 'string' },
  root: { type: 'string', multiple: true },
  demo: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

export const HELP = `stemma: the family tree of your conversations with coding agents

  --root PATH[:DIALECT]  serve this folder or file instead of the agent folders of this computer; may be repeated.
                         DIALECT is one of ${DIALECTS.join(', ')} and is only a hint
  --demo                 serve generated example sessions
  --port N               ${DEFAULT_PORT} by default, the next free one if it is taken; 0 takes any free port
  --host NAME            ${LOOPBACK.join(', ')}; other computers cannot be let in
  --no-open              do not open the browser
  --help, --version
`;

/**
 * Reads the command line.
 * @param args without the program's own names
 * @param from `cwd` for relative paths, `home` for `~`
 * @returns the options, or one sentence that says what is wrong
 */
export function parseOptions(args: string[], from: { cwd: string; home: string }): Options | { problem: string } {
  // Not strict: the messages of strict mode are for programmers.
  const { values, tokens } = parseArgs({ args, options: KNOWN, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional')
      return { problem: `Unexpected argument ${token.value}: a folder is given as --root ${token.value}.` };
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(KNOWN, token.name)) return { problem: `Unknown option ${token.rawName}: see --help.` };
    const takesValue = KNOWN[token.name as keyof typeof KNOWN].type === 'string';
    const missing = !token.value || (!token.inlineValue && token.value.startsWith('--'));
    if (takesValue && missing) return { problem: `${token.rawName} needs a value: see --help.` };
    if (!takesValue && token.value !== undefined) return { problem: `${token.rawName} takes no value: see --help.` };
  }

  const port = Number(values.port ?? DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(String(values.port ?? '0')) || port > 65_535) {
    return { problem: `--port ${String(values.port)} is no port: use a number from 0 to 65535.` };
  }
  const host = String(values.host ?? LOOPBACK[0]);
  if (!LOOPBACK.includes(host)) {
    return {
      problem: `--host ${host} is refused: Stemma shows private conversations and listens only on ${LOOPBACK.join(', ')}.`,
    };
  }
  const roots = (values.root ?? []).map((given) => parseRoot(String(given), from));
  return {
    port,
    host,
    roots,
    demo: values.demo === true,
    open: values['no-open'] !== true,
    help: values.help === true,
    version: values.version === true,
  };
}

/** Splits at the last colon, and only before a known dialect: colons are ordinary characters of paths. */
function parseRoot(given: string, from: { cwd: string; home: string }): RootSpec {
  const colon = given.lastIndexOf(':');
  const dialect = DIALECTS.find((name) => colon > 0 && name === given.slice(colon + 1));
  const folder = path.resolve(from.cwd, expandHome(dialect === undefined ? given : given.slice(0, colon), from.home));
  return dialect === undefined ? { path: folder } : { path: folder, dialect };
}
