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
}

const none = (): null => null;
const QUIET: EventView = { shows: 'nothing', notice: 'state', text: none, ends: none, session: none };
const UNKNOWN: EventView = { ...QUIET, shows: 'json' };

function notice(text: EventView['text'], more: Partial<EventView> = {}): EventView {
  return { ...QUIET, shows: 'notice', text, ...more };
}

const field =
  (name: string) =>
  (data: RawRecord): string | null =>
    asString(data[name]);

const named =
  (label: string, name: string) =>
  (data: RawRecord): string | null => {
    const value = data[name];
    return value === undefined || value === null
      ? label
      : `${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  };

/** Every event that we know, by its name. Others are shown as JSON. */
const VIEWS: Readonly<Record<string, EventView>> = {
  'turn/start': { ...QUIET, shows: 'notice', notice: 'turn', text: (data) => figure(data['turn']) },
  'turn/end': notice(endText, { notice: 'turnEnd', ends: endOf }),
  'step/start': QUIET,
  'step/end': QUIET,
  'assistant/partial': QUIET,
  'assistant/attempt': QUIET,
  'tool/call': { ...QUIET, text: field('name') },
  'request/context': QUIET,
  'session/end-seed': notice((data) => (data['inherited'] === true ? '' : null), { notice: 'inherited' }),
  'session/title-llm-request': QUIET,
  'todo/write': notice(todos, { notice: 'todos' }),
  'agent/inbox/spliced': QUIET,
  'compaction/start': QUIET,
  'compaction/end': notice((data) => errorText(data['error']), { notice: 'error' }),
  'compaction/prune': notice((data) => figure(data['shadowedTokenCount']), { notice: 'prune' }),
  'command/run': notice((data) => [asString(data['name']), asString(data['args'])].filter(Boolean).join(' '), {
    notice: 'command',
  }),
  'command/done': notice((data) => (data['kind'] === 'error' ? (asString(data['text']) ?? '') : null), { notice: 'error' }),
  'approval/asked': notice((data) => [asString(data['toolName']), asString(data['reason'])].filter(Boolean).join(': '), {
    notice: 'approvalAsked',
  }),
  'approval/decided': notice(field('outcome'), { notice: 'approval' }),
  'approval/policy': notice(named('approval', 'policy'), { notice: 'setting' }),
  'permission/preset': notice(named('permissions', 'preset'), { notice: 'setting' }),
  'sandbox/mode': notice(named('sandbox', 'mode'), { notice: 'setting' }),
  'plan/mode': notice(named('plan', 'active'), { notice: 'setting' }),
  'agent-preset/selected': notice(named('agent', 'agentPreset'), { notice: 'setting' }),
  'model/selection': QUIET,
  'llm/retry': notice((data) => errorText(data['failure'] ?? data['error']) ?? figure(data['attempt']), { notice: 'retry' }),
  'llm/retry-started': QUIET,
  'hook/invoked': QUIET,
  'hook/result': notice(
    (data) => (data['decision'] === undefined || data['decision'] === 'allow' ? null : String(data['decision'])),
    { notice: 'hook' },
  ),
  'subagent/descriptor': notice(field('label'), { notice: 'subagent' }),
  'subagent/catalog': notice(child, { notice: 'subagent', session: field('childId') }),
  'subagent/model-selection-policy': QUIET,
  'tool-workflow/agent-start': notice(child, { notice: 'subagent', session: field('childId') }),
  'tool-workflow/agent-end': QUIET,
  'tool-workflow/run-start': QUIET,
  'tool-workflow/run-end': QUIET,
  'tool/code-dispatch-start': QUIET,
  'tool/code-dispatch': notice(dispatch, { notice: 'dispatch' }),
  'tool/ptc-dispatch-start': QUIET,
  'tool/ptc-dispatch': notice(dispatch, { notice: 'dispatch' }),
  'session-log-deepseek/delivery-accepted': QUIET,
};

export function eventView(name: string): EventView {
  return Object.hasOwn(VIEWS, name) ? VIEWS[name]! : UNKNOWN;
}

/** How a turn ended, in the words that answers have for it. */
function endOf(data: RawRecord): string {
  const kind = asString(asRecord(data['reason'])['kind']) ?? '';
  return kind === 'completed' ? 'stop' : kind === 'max-tokens' ? 'length' : kind;
}

function endText(data: RawRecord): string | null {
  const reason = asRecord(data['reason']);
  const kind = asString(reason['kind']);
  if (kind === null || kind === 'completed') return null;
  const said = errorText(reason['error']) ?? asString(asRecord(reason['reason'])['kind']) ?? asString(reason['reason']);
  return said === null ? kind : `${kind}: ${said}`;
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
