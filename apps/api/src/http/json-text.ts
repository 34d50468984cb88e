import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work before other requests get a turn. */
const SLICE_MS = 12;
const SLICE_ITEMS = 2_000;

/** A large array inside an answer, made and written out in slices. */
export class Slices {
  readonly length: number;
  readonly slice: (from: number, to: number) => unknown[];

  /** @param slice answers the items `from … to - 1`. */
  constructor(length: number, slice: (from: number, to: number) => unknown[]) {
    this.length = length;
    this.slice = slice;
  }
}

/** A plain object whose values may be `Slices`, or objects with such values. */
export type SlicedObject = Readonly<Record<string, unknown>>;

/**
 * JSON text of an object with large arrays, written with pauses in which the event loop runs: an outline of
 * 500,000 rows must not stop everyone else.
 */
export async function jsonText(value: SlicedObject): Promise<string> {
  const parts: string[] = [];
  let since = performance.now();
  for (const part of objectParts(value)) {
    parts.push(part);
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  return parts.join('');
}

function* objectParts(value: SlicedObject): Generator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (field instanceof Slices) yield* arrayParts(field);
    else if (holdsSlices(field)) yield* objectParts(field);
    else yield JSON.stringify(field);
  }
  yield before === '{' ? '{}' : '}';
}

function* arrayParts(array: Slices): Generator<string> {
  yield '[';
  for (let from = 0; from < array.length; from += SLICE_ITEMS) {
    const text = JSON.stringify(array.slice(from, Math.min(array.length, from + SLICE_ITEMS)));
    yield `${from === 0 ? '' : ','}${text.slice(1, -1)}`;
  }
  yield ']';
}

function holdsSlices(value: unknown): value is SlicedObject {
  return typeof value === 'object' && value !== null && Object.values(value).some((field) => field instanceof Slices);
}
