import { readSpan, readSpanSync, type DiskFile } from './disk/disk.ts';

/** An operation that can be done at once or be waited for. */
export interface Ask<T> {
  now(): T;
  later(): Promise<T>;
}

/** Work that asks for such operations: written once, done at once or beside others. */
export type Asking<T> = Generator<Ask<unknown>, T, unknown>;

/** Asks for one operation; what it throws is thrown here. */
export function* ask<T>(operation: Ask<T>): Asking<T> {
  return (yield operation) as T;
}

/** Does all of it at once. */
export function answerNow<T>(work: Asking<T>): T {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value.now();
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}

/** Waits for each of its operations. */
export async function answerLater<T>(work: Asking<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value.later();
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}

/** Work that asks, and hands out pieces on its way. */
export type Pieces = Generator<Ask<unknown> | Uint8Array, void, unknown>;

/** The pieces, without waiting. */
export function* piecesNow(work: Pieces): Generator<Uint8Array> {
  let step = work.next();
  while (step.done !== true) {
    if (step.value instanceof Uint8Array) yield step.value;
    step = work.next(step.value instanceof Uint8Array ? undefined : step.value.now());
  }
}

/** The pieces, waiting for each operation. */
export async function* piecesLater(work: Pieces): AsyncGenerator<Uint8Array> {
  let step = work.next();
  while (step.done !== true) {
    if (step.value instanceof Uint8Array) {
      yield step.value;
      step = work.next();
    } else step = work.next(await step.value.later());
  }
}

/** Reads into a buffer; answers the bytes read. */
export function readInto(file: DiskFile, buffer: Uint8Array, offset: number, length: number, position: number): Asking<number> {
  return ask({
    now: () => file.readSync(buffer, offset, length, position),
    later: () => file.read(buffer, offset, length, position),
  });
}

/** Reads a span, fewer bytes only where the file ends. */
export function spanOf(file: DiskFile, position: number, length: number): Asking<Uint8Array> {
  return ask({ now: () => readSpanSync(file, position, length), later: () => readSpan(file, position, length) });
}
