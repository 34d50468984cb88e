import { FLAG, type FlagName } from '../outline/flags.ts';
import { asNumber, asRecord, isRecord } from './read.ts';

/** Token counts and cost of one call, null where the file does not say. */
export interface UsageFacts {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** USD */
  cost: number | null;
}

/** A change of what is in force from this entry on. */
export type SettingFact =
  | { kind: 'thinking'; level: string | null }
  /** `split`: written as provider and modelId; else as one "provider/id". null: in neither of these forms. */
  | { kind: 'model'; role: string | null; provider: string; modelId: string; split: boolean | null; thinking?: string }
  | { kind: 'tier'; tier: unknown }
  | { kind: 'mode'; mode: string; data?: unknown }
  | { kind: 'rules'; rules: string[] };

/** Everything that the outline keeps of an entry besides its place. */
export interface EntryFacts {
  role: string;
  /** What it is about; the outline makes one line of its beginning. */
  title: string;
  flags: number;
  /** Characters that it would put into a model's context. */
  chars: number;
  /** Those of them that are tool calls. */
  callChars: number;
  /** Those of them that are images. */
  imageChars: number;
  /** compaction: characters of the system message that it carries. */
  checkpointChars: number;
  /** compaction: characters of the archive that goes with its summary, images among them; null without one. */
  archiveChars: { all: number; images: number } | null;
  /** Ids of its tool calls, or the id that it answers. */
  calls: string[];
  /** What its tool calls do, one line each; their results are shown by it. */
  callTitles: string[];
  /** The entry answers a tool call: what the call does says what it is about. */
  isAnswer: boolean;
  /** The entry that it is about; where it takes the place of others, `first..last` of them. */
  target: string | null;
  /** compaction: the first kept entry. */
  kept: string | null;
  /** "provider/id" of the model that answered. */
  model: string;
  stopReason: string;
  /** The provider's own id of the answer: several records of one answer have the same. */
  responseId: string;
  usage: UsageFacts | null;
  setting: SettingFact | null;
  /** The text of a label, name or title; the customType of a custom entry. */
  name: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  /** Epoch ms of the message, where the entry has no time of its own. */
  messageTime: number | null;
}

export function emptyFacts(): EntryFacts {
  return clearFacts({} as EntryFacts);
}

/** Makes facts empty, so that one object serves for all entries. Answers it. */
export function clearFacts(facts: EntryFacts): EntryFacts {
  facts.role = '';
  facts.title = '';
  facts.flags = 0;
  facts.chars = 0;
  facts.callChars = 0;
  facts.imageChars = 0;
  facts.checkpointChars = 0;
  facts.archiveChars = null;
  facts.calls = [];
  facts.callTitles = [];
  facts.isAnswer = false;
  facts.target = null;
  facts.kept = null;
  facts.model = '';
  facts.stopReason = '';
  facts.responseId = '';
  facts.usage = null;
  facts.setting = null;
  facts.name = null;
  facts.tokensBefore = null;
  facts.tokensAfter = null;
  facts.messageTime = null;
  return facts;
}

export function setFlag(facts: EntryFacts, name: FlagName, on = true): void {
  if (on) facts.flags |= FLAG[name];
}

/** Reads a `usage` object; null when there is nothing countable in it. */
export function readUsage(value: unknown): UsageFacts | null {
  if (!isRecord(value)) return null;
  const cost = asRecord(value['cost']);
  const usage: UsageFacts = {
    input: asNumber(value['input']),
    output: asNumber(value['output']),
    cacheRead: asNumber(value['cacheRead']),
    cacheWrite: asNumber(value['cacheWrite']),
    cost: asNumber(cost['total']) ?? sumOrNull([cost['input'], cost['output'], cost['cacheRead'], cost['cacheWrite']]),
  };
  return Object.values(usage).some((figure) => figure !== null) ? usage : null;
}

function sumOrNull(values: unknown[]): number | null {
  let sum: number | null = null;
  for (const value of values) {
    const figure = asNumber(value);
    if (figure !== null) sum = (sum ?? 0) + figure;
  }
  return sum;
}
