import type { Random } from '../base/random.ts';
import type { Chunk, TimedChunk } from './pack.ts';

/** A block of an answer in the harness's spelling. */
export type AnswerBlock =
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: string };

export interface DshUsage {
  /** Not from the cache. */
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  reasoningTokens?: number;
}

/**
 * How an answer comes in: block after block, each a start, its deltas and its end, then usage and the reason why it
 * ended. `share` below 1 breaks off after that part of the deltas, without an end. Times follow from `from` on.
 */
export function* streamed(
  random: Random,
  blocks: readonly AnswerBlock[],
  usage: DshUsage,
  from: number,
  share = 1,
): Generator<TimedChunk, void, undefined> {
  let time = from;
  const at = (chunk: Chunk): TimedChunk => ({ time, chunk });
  let left = share >= 1 ? Infinity : Math.ceil(share * blocks.reduce((sum, block) => sum + textOf(block).length, 0));
  for (const [index, block] of blocks.entries()) {
    yield at({ type: 'block-start', index, blockType: block.type });
    for (const piece of pieces(random, textOf(block))) {
      // Deltas arrive in small bursts.
      time += random.chance(0.6) ? random.range(24, 60) : random.below(2);
      yield at(delta(block, index, piece));
      left -= piece.length;
      if (left <= 0) return;
    }
    yield at({ type: 'block-end', index, block });
  }
  yield at({ type: 'usage', usage });
  yield at({ type: 'finish', reason: { kind: blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop' } });
}

/** The blocks that a stream has built up when it breaks off. */
export function partial(chunks: readonly TimedChunk[], blocks: readonly AnswerBlock[]): AnswerBlock[] {
  const texts = new Map<number, string>();
  for (const { chunk } of chunks) {
    if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
      texts.set(chunk.index, (texts.get(chunk.index) ?? '') + (chunk.text ?? ''));
    }
  }
  return [...texts].map(([index, text]) => ({ type: blocks[index]?.type === 'reasoning' ? 'reasoning' : 'text', text }));
}

function textOf(block: AnswerBlock): string {
  return block.type === 'tool-call' ? block.arguments : block.text;
}

function delta(block: AnswerBlock, index: number, piece: string): Chunk {
  if (block.type === 'tool-call') {
    return { type: 'tool-call-delta', index, id: block.id, name: block.name, argumentsDelta: piece };
  }
  return { type: `${block.type}-delta`, index, text: piece };
}

/** Cuts a text as tokens would: a few characters each, no character in half. */
function* pieces(random: Random, text: string): Generator<string, void, undefined> {
  for (let i = 0; i < text.length;) {
    let end = Math.min(text.length, i + random.range(1, 8));
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end++;
    yield text.slice(i, end);
    i = end;
  }
}
