import { assistant } from '../entries/roles/assistant.ts';
import { custom } from '../entries/roles/custom.ts';
import { toolResult } from '../entries/roles/tool-result.ts';
import type { Outline } from '../outline/outline.ts';
import type { Emission, PlanOptions, Verdict } from './plan.ts';

/** The custom message that keeps an interrupted turn in the model's view when it comes right behind it. */
const INTERRUPTED_THINKING = 'interrupted-thinking';

function isAssistant(outline: Outline, emission: Emission): boolean {
  return emission.kind === 'message' && outline.role(emission.row) === assistant.role;
}

function isResult(outline: Outline, emission: Emission): boolean {
  return emission.kind === 'message' && outline.role(emission.row) === toolResult.role;
}

/** Ids of a turn's calls, or the one that a result answers; a lone empty id reads as none from the outline. */
function callIds(outline: Outline, row: number): string[] {
  const ids = outline.calls(row);
  return ids.length === 0 ? [''] : ids;
}

/** Takes calls out of turns when no result among the messages answers them; turns of nothing else go. */
export function stripUnanswered(
  outline: Outline,
  emissions: Emission[],
  options: PlanOptions,
  verdicts: Map<number, Verdict>,
): Emission[] {
  const answered = new Set<string>();
  for (const emission of emissions)
    if (isResult(outline, emission)) for (const id of callIds(outline, emission.row)) answered.add(id);
  const kept: Emission[] = [];
  for (const emission of emissions) {
    const calls =
      isAssistant(outline, emission) && outline.has(emission.row, 'hasToolCalls') ? callIds(outline, emission.row) : [];
    const open = calls.filter((id) => !answered.has(id));
    if (open.length === 0) kept.push(emission);
    else if (open.length === calls.length && !outline.has(emission.row, 'hasOwnContent') && !options.transcript) {
      verdicts.set(emission.row, { status: 'dropped', reason: 'only_unanswered_calls' });
    } else {
      kept.push({ ...emission, stripCalls: open });
      verdicts.set(emission.row, { status: 'adjusted', reason: 'unanswered_calls_removed' });
    }
  }
  return kept;
}

/**
 * Drops aborted and failed turns and the later results that answer them, last turn first: a turn stays when, after
 * what has been dropped already, the note about an interruption comes right behind it.
 */
export function dropBrokenTurns(outline: Outline, emissions: Emission[], verdicts: Map<number, Verdict>): Emission[] {
  const dropped = new Uint8Array(emissions.length);
  const answers = new Map<string, number[]>();
  let next = -1;
  for (let i = emissions.length - 1; i >= 0; i--) {
    const emission = emissions[i]!;
    if (isResult(outline, emission)) for (const id of callIds(outline, emission.row)) pushTo(answers, id, i);
    const broken = isAssistant(outline, emission) && isBroken(outline, emission.row);
    if (!broken || (next >= 0 && isInterruption(outline, emissions[next]!))) {
      next = i;
      continue;
    }
    dropped[i] = 1;
    verdicts.set(emission.row, { status: 'dropped', reason: outline.has(emission.row, 'error') ? 'error_turn' : 'aborted_turn' });
    for (const id of outline.has(emission.row, 'hasToolCalls') ? callIds(outline, emission.row) : []) {
      for (const at of answers.get(id) ?? []) {
        dropped[at] = 1;
        verdicts.set(emissions[at]!.row, { status: 'dropped', reason: 'result_of_dropped_turn' });
      }
      answers.delete(id);
    }
    while (next >= 0 && next < emissions.length && dropped[next] === 1) next++;
    if (next >= emissions.length) next = -1;
  }
  return emissions.filter((_, i) => dropped[i] === 0);
}

function pushTo(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function isBroken(outline: Outline, row: number): boolean {
  return outline.has(row, 'error') || outline.has(row, 'aborted');
}

function isInterruption(outline: Outline, emission: Emission): boolean {
  return outline.role(emission.row) === custom.role && outline.name(emission.row) === INTERRUPTED_THINKING;
}
