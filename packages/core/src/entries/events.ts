import type { NoticeItem } from '../transcript/items.ts';
import type { RawRecord } from './entry.ts';
import { asArray, asNumber, asRecord, asString } from './read.ts';

/** How an event of a log is shown, and what it tells of its session. */
export interface EventView {
  /** nothing: what it says is seen elsewhere. notice: one line. json: nobody here knows it. */
  shows: 'nothing' | 'notice' | 'json';
  notice: NoticeItem['notice'];
  /** What it is about, on one line; null where there is nothing to say. */
  text(data: RawRecord): string | null;
  /** How a turn ended with it; null for events that end none. */
  ends(data: RawRecord): string | null;
  /** Id of the session that it started; null for none. */
  session(data: RawRecord): string | null;
  /** The log's own word for what happened, which `text` does not say again; null for none. */
  word(data: RawRecord): string | null;
  /** What it says of a call: it is shown with the call then. */
  call: CallPart | null;
  /** Ids by which such events find their call: that of the call or of what is about it, then those that it makes known. */
  calls(data: RawRecord): string[];
}

/** What an event may say of a call. */
export type CallPart = 'begun' | 'asked' | 'decided' | 'subBegun' | 'subEnded';

const none = (): null => null;
const QUIET: EventView = {
  shows: 'nothing',
  notice: 'state',
  text: none,
  ends: none,
  session: none,
  word: none,
  call: null,
  calls: () => [],
};
const UNKNOWN: EventView = { ...QUIET, shows: 'json' };

function notice(text: EventView['text'], more: Partial<EventView> = {}): EventView {
  return { ...QUIET, shows: 'notice', text, ...more };
}

const field =
  (name: string) =>
  (data: RawRecord): string | null =>
    asString(data[name]);

/** A change of what is in force: its name as the word, and its value. */
function setting(word: string, name: string): EventView {
  const text = (data: RawRecord): string | null => {
    const value = data[name];
    return value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
  };
  return notice((data) => text(data) ?? '', { notice: 'setting', word: () => word });
}

/** Shown with the call that it is about. */
function ofCall(call: CallPart, ids: (data: RawRecord) => unknown[], view: EventView): EventView {
  return { ...view, call, calls: (data) => ids(data).filter((id): id is string => typeof id === 'string' && id !== '') };
}

const subCallIds = (data: RawRecord): unknown[] => [data['rootCallId'] ?? data['parentCallId'], data['subCallId']];

/** With this event a turn begins; nobody has said anything in it yet. */
export const TURN_START = 'turn/start';

/** Every event that we know, by its name. Others are shown as JSON. */
const VIEWS: Readonly<Record<string, EventView>> = {
  [TURN_START]: { ...QUIET, shows: 'notice', notice: 'turn', text: (data) => figure(data['turn']) },
  'turn/end': notice(endText, { notice: 'turnEnd', ends: endOf, word: endWord }),
  'step/start': QUIET,
  'step/end': QUIET,
  'assistant/partial': QUIET,
  'assistant/attempt': QUIET,
  'tool/call': ofCall('begun', (data) => [data['callId']], { ...QUIET, text: field('name') }),
  'request/context': QUIET,
  'session/end-seed': notice((data) => (data['inherited'] === true ? null : ''), { notice: 'resumed' }),
  'session/title-llm-request': QUIET,
  'todo/write': notice(todos, { notice: 'todos' }),
  'agent/inbox/spliced': QUIET,
  'compaction/start': QUIET,
  'compaction/end': notice((data) => errorText(data['error']), { notice: 'error' }),
  'compaction/prune': notice((data) => figure(data['shadowedTokenCount']), { notice: 'prune' }),
  'command/run': notice((data) => [asString(data['name']), asString(data['args'])].filter(Boolean).join(' '), {
    notice: 'command',
  }),
  'command/done': notice((data) => asString(data['text']) ?? (data['kind'] === 'error' ? '' : null), {
    notice: 'commandDone',
    word: (data) => (data['kind'] === 'error' ? 'error' : null),
  }),
  'approval/asked': ofCall(
    'asked',
    (data) => [data['callId'], data['id']],
    notice((data) => [asString(data['toolName']), asString(data['reason'])].filter(Boolean).join(': '), {
      notice: 'approvalAsked',
    }),
  ),
  'approval/decided': ofCall(
    'decided',
    (data) => [data['id']],
    notice(() => '', { notice: 'approval', word: field('outcome') }),
  ),
  'approval/policy': setting('approvals', 'policy'),
  'permission/preset': setting('permissions', 'preset'),
  'sandbox/mode': setting('sandbox', 'mode'),
  'plan/mode': notice(() => '', { notice: 'setting', word: (data) => (data['active'] === true ? 'plan-on' : 'plan-off') }),
  'agent-preset/selected': setting('agent', 'agentPreset'),
  'model/selection': QUIET,
  'llm/retry': notice((data) => errorText(data['failure'] ?? data['error']) ?? figure(data['attempt']), { notice: 'retry' }),
  'llm/retry-started': QUIET,
  'hook/invoked': QUIET,
  'hook/result': notice(
    (data) =>
      PASSED.has(data['decision']) ? null : [asString(data['point']), asString(data['stderrSummary'])].filter(Boolean).join(': '),
    { notice: 'hook', word: field('decision') },
  ),
  'goal/change': notice((data) => asString(asRecord(data['goal'])['objective']) ?? '', {
    notice: 'goal',
    word: field('operation'),
  }),
  'subagent/descriptor': notice((data) => asString(data['label']) ?? '', { notice: 'subagentTask' }),
  'subagent/catalog': notice(child, { notice: 'subagent', session: field('childId') }),
  'subagent/model-selection-policy': QUIET,
  'tool-workflow/agent-start': notice(child, { notice: 'subagent', session: field('childId') }),
  'tool-workflow/agent-end': QUIET,
  'tool-workflow/run-start': QUIET,
  'tool-workflow/run-end': QUIET,
  'tool/code-dispatch-start': ofCall('subBegun', subCallIds, QUIET),
  'tool/code-dispatch': ofCall('subEnded', subCallIds, notice(dispatch, { notice: 'dispatch' })),
  'tool/ptc-dispatch-start': ofCall('subBegun', subCallIds, QUIET),
  'tool/ptc-dispatch': ofCall('subEnded', subCallIds, notice(dispatch, { notice: 'dispatch' })),
  'session-log-deepseek/delivery-accepted': QUIET,
  'web/deepseek-search-llm-request': QUIET,
  'image/offload': QUIET,
  'workspace/changes': QUIET,
  'team/message/queued': QUIET,
};

export function eventView(name: string): EventView {
  return Object.hasOwn(VIEWS, name) ? VIEWS[name]! : UNKNOWN;
}

/** How a turn ended, in the words that answers have for it. */
function endOf(data: RawRecord): string {
  const kind = asString(asRecord(data['reason'])['kind']) ?? '';
  return kind === 'completed' ? 'stop' : kind === 'max-tokens' ? 'length' : kind;
}

/** What is to be said of a turn that did not simply come to its end. */
function endText(data: RawRecord): string | null {
  const reason = asRecord(data['reason']);
  const kind = asString(reason['kind']);
  if (kind === null || kind === 'completed') return null;
  return errorText(reason['error']) ?? asString(asRecord(reason['reason'])['reason']) ?? asString(reason['reason']) ?? '';
}

/** How a turn ended; for one that was aborted also by whom, as in `aborted-user`. */
function endWord(data: RawRecord): string | null {
  const reason = asRecord(data['reason']);
  const by = asString(asRecord(reason['reason'])['kind']);
  const kind = asString(reason['kind']);
  return kind === null || by === null ? kind : `${kind}-${by}`;
}

function errorText(raw: unknown): string | null {
  const { message, code, status } = asRecord(raw);
  const parts = [asString(message), asString(code), figure(status)].filter((part) => part !== null);
  return parts.length === 0 ? asString(raw) : parts.join(' · ');
}

function figure(value: unknown): string | null {
  const number = asNumber(value);
  return number === null ? null : String(number);
}

/** Decisions of a hook that change nothing. */
const PASSED: ReadonlySet<unknown> = new Set([undefined, 'allow', 'pass']);

const MARKS: Readonly<Record<string, string>> = { completed: '☑', in_progress: '▶', pending: '☐' };

function todos(data: RawRecord): string {
  const lines = asArray(data['todos']).map((raw) => {
    const { content, status } = asRecord(raw);
    return `${MARKS[asString(status) ?? ''] ?? '☐'} ${asString(content) ?? ''}`;
  });
  return lines.join('\n');
}

function child(data: RawRecord): string {
  return asString(data['label']) ?? asString(data['childId']) ?? '';
}

function dispatch(data: RawRecord): string {
  return asString(data['name']) ?? '';
}
