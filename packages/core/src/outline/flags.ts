/**
 * One bit per fact about an entry. This is the only table of them: the outline stores them, the context rules
 * read them, the API documents them and the web app draws from them.
 */
export const FLAG = {
  /** The turn ended in an error, the tool result is an error, or a command left a non-zero exit code. */
  error: 1 << 0,
  /** The turn was aborted, or a command cancelled. */
  aborted: 1 << 1,
  /** Assistant: there is content besides tool calls and redacted thinking. */
  hasOwnContent: 1 << 2,
  /** Assistant: there is at least one tool call. */
  hasToolCalls: 1 << 3,
  /** There is at least one image. */
  hasImages: 1 << 4,
  /** Assistant: there is visible text. */
  hasText: 1 << 5,
  /** A branch summary or compaction without text. */
  emptySummary: 1 << 6,
  /** bashExecution and pythonExecution: kept away from the model on purpose. */
  excluded: 1 << 7,
  /** custom_message: not to be displayed. */
  hidden: 1 << 8,
  /** custom_message: content is neither text nor a list, so no message can be made of it. */
  badContent: 1 << 9,
  /** Assistant: a turn that only recovered from a retry. */
  retryRecovery: 1 << 10,
  /** compaction: carries a provider's own replacement history. */
  providerReplay: 1 << 11,
  /** compaction: carries a system message checkpoint. */
  systemCheckpoint: 1 << 12,
  /** context_edit: drops its target instead of replacing it. */
  drops: 1 << 13,
  /** A label, title or name that clears. */
  clears: 1 << 14,
  /** The id is not from the file: made from the record number, or made unique with `~2`. */
  generatedId: 1 << 15,
  /** The id was already used by an earlier entry. */
  duplicateId: 1 << 16,
  /** The parent is not in the file. */
  orphan: 1 << 17,
  /** The entry's parent was cut off to break a cycle. */
  cycleCut: 1 << 18,
  /** The entry type is not one that we know. */
  unknownType: 1 << 19,
  /** Content was missing or null and is read as empty. */
  nullContent: 1 << 20,
  /** Assistant: an error before there was any content. */
  emptyTurn: 1 << 21,
  /** custom: the agent's notebook, in a form that it sends. */
  contextNotes: 1 << 22,
  /** compaction: starts a new window from the notebook; the last request before it is sent again. */
  rollover: 1 << 23,
  /** custom message: put in by the user, not by the agent. */
  fromUser: 1 << 24,
  /** compaction: carries the summary as the provider made it, to be sent in its form. */
  providerSummary: 1 << 25,
  /** compaction: its title is a short summary, fit for a name. */
  shortSummary: 1 << 26,
  /** Assistant: it stopped for another reason than `stop` and `toolUse`: at the length limit, by an error, aborted. */
  unfinished: 1 << 27,
  /** event: it shows nothing of its own; what it says is part of something else. */
  quiet: 1 << 28,
} as const;

export type FlagName = keyof typeof FLAG;

export function hasFlag(flags: number | undefined, name: FlagName): boolean {
  return ((flags ?? 0) & FLAG[name]) !== 0;
}
