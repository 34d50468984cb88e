import { branchSummary, compaction, customMessage, sideEntry, thinkingChange } from './generate-entries.ts';
import { anyModel, assistantMessage, bashMessage, resultMessage, strangeMessage, userMessage } from './generate-messages.ts';
import { Random } from './random.ts';
import { SessionWriter, type Body } from './writer.ts';

export interface PiFeatures {
  /** System messages, checkpoints, edits and null contents: what Pi 1.6 knows and 0.73 does not. */
  modern: boolean;
}

const LEVELS = ['off', 'low', 'medium', 'high', 'xhigh'];

/** The records of a session as Pi writes them, header first. */
export function generatePi(seed: number, features: PiFeatures): Body[] {
  const random = new Random(seed);
  const w = new SessionWriter(random, { nullContent: features.modern, cycles: false });
  const { modern } = features;
  const table: [number, () => void][] = [
    [26, () => userMessage(w)],
    [34, () => assistantMessage(w, false)],
    [22, () => resultMessage(w)],
    [3, () => bashMessage(w)],
    [2, () => strangeMessage(w)],
    [9, () => compaction(w, (id) => checkpoint(w, id, modern))],
    [5, () => branchSummary(w)],
    [7, () => customMessage(w, ['note', 'interrupted-thinking', 'prewalk-plan'])],
    [10, () => sideEntry(w)],
    [3, () => thinkingChange(w, LEVELS)],
    [4, () => modelChange(w)],
    [1, () => repeatEntry(w)],
    [modern ? 6 : 0, () => systemMessage(w)],
    [modern ? 12 : 0, () => contextEdit(w)],
  ];
  for (let n = random.int(4, 70); n > 0; n--) random.weighted(table)();
  const header = { type: 'session', version: 3, id: `s-${String(seed)}`, timestamp: '2026-03-01T09:00:00.000Z', cwd: '/tmp/x' };
  return [header, ...w.entries];
}

function repeatEntry(w: SessionWriter): void {
  if (w.entries.length > 0) w.repeat();
}

function modelChange(w: SessionWriter): void {
  const { provider, model } = anyModel(w);
  w.add('model_change', () => ({ provider, modelId: model }));
}

function systemBody(w: SessionWriter, id: string): Body {
  const body: Body = { role: 'system', mark: id, timestamp: 4, sections: { base: w.random.chance(0.2) ? null : `prompt ${id}` } };
  if (w.random.chance(0.5)) body['toolsAdded'] = [{ name: 'bash' }];
  if (w.random.chance(0.4)) body['content'] = w.random.chance(0.3) ? null : `system ${id}`;
  return body;
}

function systemMessage(w: SessionWriter): void {
  w.add('message', (id) => ({ message: systemBody(w, id) }));
}

function checkpoint(w: SessionWriter, id: string, modern: boolean): Body {
  return modern && w.random.chance(0.4) ? { systemMessage: systemBody(w, id) } : {};
}

function contextEdit(w: SessionWriter): void {
  const { random } = w;
  w.add('context_edit', (id) => ({
    targetId: random.chance(0.7) ? w.recentId(6) : w.anyId(),
    replacement: random.weighted<unknown>([
      [35, null],
      [35, { content: `edited by ${id}` }],
      [30, { content: [{ type: 'text', text: `edited by ${id}` }] }],
    ]),
  }));
}
