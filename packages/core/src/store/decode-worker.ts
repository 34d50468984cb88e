/** The thread that decodes: asked by `decode-thread.ts`, which starts it. */
import { parentPort, type Transferable } from 'node:worker_threads';

import { codecFor } from '../codec/registry.ts';
import { diskCode } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import type { DecodeRequest, DecodeResult, FromWorker, ToWorker } from './decode-protocol.ts';

const PROGRESS_BYTES = 16 * 1024 * 1024;

const port = parentPort!;
const running = new Map<number, AbortController>();

port.on('message', (message: ToWorker) => {
  if ('cancel' in message) running.get(message.id)?.abort();
  else void answer(message.id, message.decode);
});

interface Decoded {
  result: DecodeResult;
  /** Memory of the codec's state that is moved. */
  buffers: ArrayBuffer[];
}

async function answer(id: number, request: DecodeRequest): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  const result = await decode(id, request, abort.signal);
  running.delete(id);
  if (result === null) post({ id, failed: true });
  else post({ id, result: result.result }, [...buffersOf(result.result.state.builder.columns), ...result.buffers]);
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  port.postMessage(message, transfer);
}

async function decode(id: number, { path, size, dev, ino }: DecodeRequest, signal: AbortSignal): Promise<Decoded | null> {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  const codec = codecFor(path)!;
  const bytes = codec.open();
  try {
    const file = await new NodeDisk().openNoFollow(path);
    try {
      const stat = file.statSync();
      if (stat.dev !== dev || stat.ino !== ino || stat.size < size) return null;
      let told = 0;
      for await (const chunk of bytes.chunks(file, size, signal)) {
        decoder.push(chunk);
        if (bytes.stored - told < PROGRESS_BYTES) continue;
        told = bytes.stored;
        post({ id, bytes: told });
      }
      // It became shorter while it was read.
      if (file.statSync().size < size) return null;
    } finally {
      file.closeSync();
    }
  } catch (error) {
    if (signal.aborted || diskCode(error) !== null) return null;
    throw error;
  }
  const { changed } = decoder.settle();
  const { data, buffers } = bytes.state();
  return { result: { state: decoder.state(), bytes: data, changed }, buffers };
}

/** The memory of the columns, which is moved to the other thread instead of being copied. */
function buffersOf(columns: Record<string, unknown>): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const pending: unknown[] = Object.values(columns);
  while (pending.length > 0) {
    const value = pending.pop();
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
    else if (typeof value === 'object' && value !== null && !(value instanceof Map) && !Array.isArray(value)) {
      pending.push(...Object.values(value));
    }
  }
  return [...buffers];
}
