import type { Body, SessionWriter } from './writer.ts';

const MODELS = [
  ['acme', 'large-1'],
  ['acme', 'small-1'],
  ['globex', 'vendor/mid-2'],
] as const;

export function anyModel(w: SessionWriter): { provider: string; model: string } {
  const [provider, model] = w.random.pick(MODELS);
  return { provider, model };
}

/** Every message carries the id of its entry, so that an answer shows where it comes from. */
function marked(id: string, message: Body): Body {
  return { message: { ...message, mark: id } };
}

function text(w: SessionWriter, id: string): Body {
  return { type: 'text', text: w.random.chance(0.06) ? ' ' : `text ${id}` };
}

function withContent(w: SessionWriter, message: Body, content: unknown): Body {
  if (!w.odd.nullContent || !w.random.chance(0.05)) return { ...message, content };
  return w.random.chance(0.5) ? { ...message, content: null } : message;
}

export function userMessage(w: SessionWriter): void {
  w.add('message', (id) => {
    const blocks = [text(w, id)];
    if (w.random.chance(0.3)) blocks.push({ type: 'image', data: 'AAAA', mimeType: 'image/png' });
    const content = w.random.chance(0.5) ? `prompt ${id}` : blocks;
    return marked(id, withContent(w, { role: w.random.chance(0.1) ? 'developer' : 'user', timestamp: 1 }, content));
  });
}

export const USAGE = {
  ...{ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
  cost: { input: 0.1, output: 0.1, cacheRead: 0, cacheWrite: 0, total: 0.2 },
};

const STOPS = [
  [60, 'stop'],
  [20, 'toolUse'],
  [5, 'length'],
  [12, 'error'],
  [12, 'aborted'],
] as const;

/** A turn of random blocks, calls among them, some under ids that were used before. */
export function assistantMessage(w: SessionWriter, redacted: boolean, stop?: string): void {
  const { random } = w;
  w.add('message', (id) => {
    const content: Body[] = [];
    for (let n = random.int(0, 4); n > 0; n--) {
      const kind = random.weighted([
        [40, 'text'],
        [20, 'thinking'],
        [30, 'call'],
        [redacted ? 8 : 0, 'redacted'],
        [2, 'novel'],
      ] as const);
      if (kind === 'text') content.push(text(w, id));
      else if (kind === 'thinking') content.push(thinking(w, id));
      else if (kind === 'call') content.push(toolCall(w));
      else if (kind === 'redacted') content.push({ type: 'redactedThinking', data: random.chance(0.2) ? ' ' : 'xyz' });
      else content.push({ type: 'novelBlock', payload: id });
    }
    const stopReason = stop ?? random.weighted(STOPS);
    const message: Body = { role: 'assistant', api: 'api', ...anyModel(w), stopReason, usage: USAGE };
    if (stopReason === 'error') message['errorMessage'] = 'failed';
    if (redacted && random.chance(0.03)) message['retryRecovery'] = random.chance(0.7) ? { kind: 'plain' } : false;
    return marked(id, withContent(w, message, content));
  });
}

function thinking(w: SessionWriter, id: string): Body {
  const block: Body = { type: 'thinking', thinking: w.random.chance(0.15) ? '' : `thought ${id}` };
  if (w.random.chance(0.6)) block['thinkingSignature'] = w.random.chance(0.1) ? '' : `sig-${id}`;
  return block;
}

function toolCall(w: SessionWriter): Body {
  const again = w.calls.length > 0 && w.random.chance(0.08);
  const call = again
    ? w.random.pick(w.calls)
    : { id: w.random.chance(0.01) ? '' : `call-${w.random.hex(5)}`, name: w.random.pick(['bash', 'read']) };
  if (!again) w.calls.push(call);
  return { type: 'toolCall', id: call.id, name: call.name, arguments: w.random.chance(0.05) ? null : { path: 'a.txt' } };
}

/** Answers a late call most of the time, else an early one or one that nobody made. */
export function resultMessage(w: SessionWriter): void {
  const { random, calls } = w;
  w.add('message', (id) => {
    const late = calls.slice(-3);
    const call =
      late.length === 0 || random.chance(0.08)
        ? { id: 'call-nobody', name: 'bash' }
        : random.chance(0.85)
          ? random.pick(late)
          : random.pick(calls);
    const message = { role: 'toolResult', toolCallId: call.id, toolName: call.name, isError: random.chance(0.2), timestamp: 2 };
    return marked(id, withContent(w, message, [text(w, id)]));
  });
}

export function bashMessage(w: SessionWriter): void {
  w.add('message', (id) => {
    const message: Body = { role: 'bashExecution', command: `ls ${id}`, output: 'a', cancelled: false, truncated: false };
    if (w.random.chance(0.7)) message['exitCode'] = w.random.int(0, 1);
    if (w.random.chance(0.3)) message['excludeFromContext'] = true;
    return marked(id, message);
  });
}

/** Roles that readers normally make themselves, and roles that nobody knows. */
export function strangeMessage(w: SessionWriter): void {
  w.add('message', (id) => {
    const role = w.random.pick(['custom', 'branchSummary', 'compactionSummary', 'fileMention', 'novelRole']);
    if (role === 'custom') {
      const customType = w.random.pick(['note', 'interrupted-thinking', 'skill-prompt']);
      return marked(id, { role, customType, content: `custom ${id}`, display: true, attribution: 'user', timestamp: 3 });
    }
    if (role.endsWith('Summary')) return marked(id, { role, summary: `stored ${id}`, fromId: 'root', tokensBefore: 1 });
    return marked(id, { role, content: `stored ${id}`, files: [] });
  });
}
