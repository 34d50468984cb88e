import type { Client } from './clients.ts';

type Json = Record<string, unknown>;

/** The settings that a family's contexts have; what else ours carry is our own. */
const FIELDS: Record<Client['key'], readonly string[]> = {
  pi: ['messages', 'thinkingLevel', 'model'],
  'pi-old': ['messages', 'thinkingLevel', 'model'],
  'oh-my-pi': [
    ...['messages', 'thinkingLevel', 'serviceTier', 'models', 'injectedTtsrRules', 'mode', 'modeData'],
    'cacheMissExplainedAt',
  ],
};

/**
 * A context as both sides must agree on it. JSON takes away the difference between absent and undefined; what else is
 * set aside is listed in docs/interop.md.
 */
export function normalise(context: Json, client: Client['key']): Json {
  const copy = JSON.parse(JSON.stringify(context)) as Json;
  const result: Json = {};
  for (const field of FIELDS[client]) if (copy[field] !== null && copy[field] !== undefined) result[field] = copy[field];
  if (result['messages'] !== undefined && (copy['messages'] as Json[]).length === 0) delete result['cacheMissExplainedAt'];
  result['messages'] = (copy['messages'] as Json[]).map(client === 'oh-my-pi' ? normaliseOmpMessage : (message) => message);
  return result;
}

const SUPERSEDED = /superseded/i;

function normaliseOmpMessage(message: Json): Json {
  if (message['role'] === 'compactionSummary' && SUPERSEDED.test(String(message['summary']))) {
    const { shortSummary: _ours, ...rest } = message;
    return { ...rest, summary: 'superseded' };
  }
  if (Array.isArray(message['blocks'])) return { ...message, blocks: (message['blocks'] as Json[]).map(withoutSeparators) };
  if (message['customType'] === 'experimental_context_notes') {
    return { ...message, content: /\bnotes (n\d|[0-9a-f]{8})\b/.exec(String(message['content']))?.[0] ?? 'no notes' };
  }
  return message;
}

/** A text of an archive without the lines that say where images stand or what was left out. */
function withoutSeparators(block: Json): Json {
  if (typeof block['text'] !== 'string') return block;
  const lines = block['text'].split('\n').filter((line) => line.startsWith('archived'));
  return { ...block, text: lines.join('\n') };
}

/** Where two JSON values differ first, in words; null when they are equal. */
export function firstDifference(ours: unknown, theirs: unknown, path = ''): string | null {
  if (Object.is(ours, theirs)) return null;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
      const found = firstDifference(ours[i], theirs[i], `${path}[${String(i)}]`);
      if (found !== null) return found;
    }
    return null;
  }
  if (isObject(ours) && isObject(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const found = firstDifference(ours[key], theirs[key], `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  return `${path === '' ? 'all' : path}: ours ${short(ours)}, theirs ${short(theirs)}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
