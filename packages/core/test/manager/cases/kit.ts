import type { SessionManager } from '../../../src/manager/session-manager.ts';
import type { Dialect } from '../places.ts';
import { assistant, user, type World } from '../world.ts';

/** A case of the specifications: what is done, and what comes of it. */
export interface WorkedCase {
  /** Which case of which specification. */
  source: string;
  name: string;
  dialect: Dialect;
  run(world: World): unknown;
  result: unknown;
}

export const FILE = '/work/app/s.jsonl';
export const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/app"}';
export const MESSAGE =
  '{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}';

export const types = (manager: SessionManager): string[] => manager.getEntries().map(({ type }) => type);
export const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
export const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

/** Sets up one that has been answered; answers the ids. */
export function answered(manager: SessionManager): [string, string] {
  return [manager.appendMessage(user('q')), manager.appendMessage(assistant('a'))];
}

export const carried = (cwd: string): string => `${HEADER.replace('/work/app', cwd)}\n${MESSAGE}\n`;
