import type { ToolCallItem } from '@stemma/core/pure';

type OpenCall = Pick<ToolCallItem, 'log'>;

/** What is said in short of a call that has no result: its key in the dictionaries. Only logs of events tell more than that. */
export function openWord(
  { log }: OpenCall,
  isRunning: boolean,
): 'transcript.noResult' | 'transcript.runs' | 'transcript.notStarted' | 'transcript.outcomeUnknown' {
  if (log === undefined) return 'transcript.noResult';
  if (isRunning) return log.begun === null ? 'transcript.noResult' : 'transcript.runs';
  return log.begun === null ? 'transcript.notStarted' : 'transcript.outcomeUnknown';
}

/** The same at length. */
export function openText(
  { log }: OpenCall,
  isRunning: boolean,
): 'transcript.noResultLong' | 'transcript.runsLong' | 'transcript.notStartedLong' | 'transcript.outcomeUnknownLong' {
  if (log === undefined) return 'transcript.noResultLong';
  if (isRunning) return log.begun === null ? 'transcript.noResultLong' : 'transcript.runsLong';
  return log.begun === null ? 'transcript.notStartedLong' : 'transcript.outcomeUnknownLong';
}
