import type { ProblemCode } from '../../src/pure.ts';
import { DAMAGED } from './damaged.ts';
import { LARGE } from './large.ts';
import { SHAPED } from './shaped.ts';

/** A file that somebody's program, disk or malice may leave in a sessions folder. */
export interface HostileInput {
  name: string;
  /** The file; the same bytes in every run. */
  bytes(): Uint8Array;
  /** Entries that must be shown. */
  entries: number;
  /** Problems that must be named, and no others; `any`: at least one, whatever it is. */
  problems: Partial<Record<ProblemCode, number>> | 'any';
}

/** All inputs that are one file. Folders and devices are made where they are tested: they need a real disk. */
export const INPUTS: readonly HostileInput[] = [...SHAPED, ...DAMAGED, ...LARGE];

/** The input of a name. */
export function inputNamed(name: string): HostileInput {
  const found = INPUTS.find((input) => input.name === name);
  if (found === undefined) throw new Error(`no hostile input "${name}"`);
  return found;
}
