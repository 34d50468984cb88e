import { custom } from '../entries/roles/custom.ts';
import { assistant } from '../entries/roles/assistant.ts';
import { branchSummary, compactionSummary } from '../entries/roles/summaries.ts';
import { bashExecution, pythonExecution } from '../entries/roles/execution.ts';
import { developer, user } from '../entries/roles/user.ts';
import { fileMention } from '../entries/roles/file-mention.ts';
import { system } from '../entries/roles/system.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import type { Outline } from '../outline/outline.ts';
import type { ContextPlan, Emission, EmissionKind } from './plan.ts';

/*
 * Estimates of tokens: characters / 4, rounded up for each message, as Pi estimates. What counts by role:
 *
 *   system                 text, named parts, and the declarations of added tools as JSON
 *   user, developer,       texts; an image is 4,800 characters (1,200 tokens)
 *   custom, toolResult
 *   fileMention            paths, contents and images of the files
 *   assistant              visible text, thinking, and of each call its name and arguments (keys and texts, about
 *                          the length of their JSON); signatures and encrypted thinking count nothing
 *   bash, python           the command and its output; nothing when it is kept away from the model
 *   summaries              the summary; what a provider replays in its place is not to be measured
 *   archive of a summary   its texts and images within the model's limits, as in a prompt
 *   compaction checkpoint  as system
 *   edited                 the replacement
 *
 * The sentences that agents put around a summary or a command are not counted.
 */

const ROLE_OF: Record<Exclude<EmissionKind, 'message'>, string> = {
  customMessage: custom.role,
  branchSummary: branchSummary.role,
  compactionSummary: compactionSummary.role,
  systemCheckpoint: system.role,
  contextNotes: custom.role,
};

/** The role of the message that an emission gives. */
export function emissionRole(outline: Outline, emission: Emission): string {
  return emission.kind === 'message' ? outline.role(emission.row) : ROLE_OF[emission.kind];
}

interface Chars {
  all: number;
  calls: number;
  images: number;
}

/** Characters that an emission puts into the context. */
function emissionChars(outline: Outline, emission: Emission): Chars {
  const { row, editRow, stripCalls } = emission;
  if (outline.has(row, 'excluded')) return { all: 0, calls: 0, images: 0 };
  if (emission.kind === 'systemCheckpoint') return { all: outline.checkpointChars(row), calls: 0, images: 0 };
  const chars = outline.chars(editRow ?? row);
  if (emission.archive !== undefined && editRow === undefined) {
    const archive = outline.archiveChars(row);
    return { all: chars.all + archive.all, calls: 0, images: chars.images + archive.images };
  }
  if (stripCalls === undefined || editRow !== undefined) return chars;
  // How long each call is, the outline does not know: those that go count as much as those that stay.
  const calls = outline.calls(row).length;
  const gone = calls === 0 ? 0 : Math.round((chars.calls * Math.min(stripCalls.length, calls)) / calls);
  return { ...chars, all: chars.all - gone, calls: chars.calls - gone };
}

/** Estimate of a message's tokens. */
export function emissionTokens(outline: Outline, emission: Emission): number {
  return Math.ceil(emissionChars(outline, emission).all / 4);
}

/** What a context is made of, in estimated tokens. The parts add up to the sum of all messages. */
export interface ContextParts {
  system: number;
  /** Of compactions and branches. */
  summaries: number;
  /** Of people, programs in their place, and mentioned files. */
  prompts: number;
  /** Texts and thinking of the model. */
  answers: number;
  toolCalls: number;
  toolResults: number;
  /** In prompts, results and anywhere else. */
  images: number;
  /** Commands that people ran. */
  commands: number;
  /** Messages of extensions, and of roles that we do not know. */
  other: number;
}

type Part = Exclude<keyof ContextParts, 'toolCalls' | 'images'>;

const PART_OF: ReadonlyMap<string, Part> = new Map([
  [system.role, 'system'],
  [branchSummary.role, 'summaries'],
  [compactionSummary.role, 'summaries'],
  [user.role, 'prompts'],
  [developer.role, 'prompts'],
  [fileMention.role, 'prompts'],
  [assistant.role, 'answers'],
  [toolResult.role, 'toolResults'],
  [bashExecution.role, 'commands'],
  [pythonExecution.role, 'commands'],
]);

/** Splits the estimate of a whole context by what it is made of. Linear in the messages. */
export function contextParts(outline: Outline, plan: ContextPlan): ContextParts {
  const parts: ContextParts = {
    system: 0,
    summaries: 0,
    prompts: 0,
    answers: 0,
    toolCalls: 0,
    toolResults: 0,
    images: 0,
    commands: 0,
    other: 0,
  };
  for (const emission of plan.emissions) {
    const { all, calls, images } = emissionChars(outline, emission);
    // Rounded so that the parts of a message add up to what it counts.
    const total = Math.ceil(all / 4);
    const ofCalls = Math.min(Math.ceil(calls / 4), total);
    const ofImages = Math.min(Math.ceil(images / 4), total - ofCalls);
    parts.toolCalls += ofCalls;
    parts.images += ofImages;
    parts[PART_OF.get(emissionRole(outline, emission)) ?? 'other'] += total - ofCalls - ofImages;
  }
  return parts;
}
