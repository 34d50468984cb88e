import { userMessage } from './messages.ts';
import type { DshWriter } from './writer.ts';

/**
 * Puts a checkpoint with `text` in the place of `shadowed`, a range of the surface that is not empty: for the model
 * only. All of it between two turns.
 */
export function writeCompaction(writer: DshWriter, shadowed: readonly number[], text: string): void {
  const { log, model, tokens } = writer;
  const compactionId = writer.id();
  const range = { start: shadowed[0] as number, end: shadowed.at(-1) as number };
  log.event('compaction/start', { compactionId, turn: null });
  log.flush();
  log.wait(14_000);
  const blocks = [{ type: 'text', text }];
  log.event('compaction/summary', {
    compactionId,
    summary: blocks,
    rawOutput: blocks,
    llmStreamCall: true,
    shadowedRange: shadowedRange(writer, range),
    shadowedSeqs: shadowed,
    shadowedTokenCount: tokens,
    provider: model.provider,
    model: model.model,
    usage: { inputTokens: tokens, outputTokens: Math.round(text.length / 4) },
  });
  const texts = [LEAD, text, '</compacted-summary>'];
  const data = userMessage(log.form, writer.id(), 'compact-checkpoint', texts, { compactionId });
  log.event('user/message', data, { surfaceOp: range, sourceEventSeqs: shadowed });
  log.event('compaction/end', { compactionId, turn: null });
}

/** A range of seqs in the spelling of the log's form. */
export function shadowedRange({ log }: DshWriter, { start, end }: { start: number; end: number }): object {
  return log.form === 4 ? { startSeq: start, endSeq: end } : { start, end };
}

const LEAD = 'This checkpoint condenses an earlier part of the conversation.\n\n<compacted-summary>';
