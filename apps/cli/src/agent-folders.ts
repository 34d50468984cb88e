import path from 'node:path';

import type { RootSpec } from '@stemma/core';

import { expandHome } from './home.ts';

/** Where agents keep their sessions below a home folder. `dialect` is a hint; each session's header decides. */
const AGENT_FOLDERS = [
  { below: ['.musepi', 'agent'], dialect: 'musepi' },
  { below: ['.omp', 'agent'], dialect: 'musepi' },
  { below: ['.pi', 'agent'], dialect: 'pi' },
] as const;

/** Names one more agent folder, as Pi itself reads it. */
const FOLDER_VARIABLE = 'PI_CODING_AGENT_DIR';

/** Where DeepSeek Harness keeps everything, when it is not in `~/.dsh`. */
const HARNESS_VARIABLE = 'DSH_HOME';

export interface Looked {
  path: string;
  found: boolean;
}

/**
 * The agent folders of this person, and the sessions of DeepSeek Harness.
 * @param home absolute path of the home folder, '' when there is none
 * @param exists answers whether a path is a folder
 * @returns the folders to serve, and every place that was looked at
 */
export function findAgentFolders(
  home: string,
  env: Record<string, string | undefined>,
  exists: (path: string) => boolean,
): { roots: RootSpec[]; looked: Looked[] } {
  const candidates: RootSpec[] =
    home === '' ? [] : AGENT_FOLDERS.map(({ below, dialect }) => ({ path: path.join(home, ...below), dialect }));
  const named = env[FOLDER_VARIABLE] ?? '';
  if (named !== '') {
    const absolute = path.resolve(expandHome(named, home));
    if (!candidates.some((candidate) => candidate.path === absolute)) candidates.push({ path: absolute, dialect: 'pi' });
  }
  const harness = env[HARNESS_VARIABLE] ?? '';
  if (home !== '' || harness !== '') {
    const folder = harness === '' ? path.join(home, '.dsh') : path.resolve(expandHome(harness, home));
    candidates.push({ path: path.join(folder, 'sessions'), dialect: 'dsh' });
  }
  const looked = candidates.map((candidate) => ({ path: candidate.path, found: exists(candidate.path) }));
  return { roots: candidates.filter((_, index) => looked[index]?.found === true), looked };
}
