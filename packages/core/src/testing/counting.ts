/** Counts steps instead of time: a walk that is linear takes twice the steps on twice the rows, on any machine. */

export interface Counted<T> {
  value: T;
  /** Reads of elements, fields and methods so far. */
  steps(): number;
}

/** An array or typed array whose element reads are counted. */
export function countingArray<T>(source: ArrayLike<T>): Counted<ArrayLike<T>> {
  let steps = 0;
  const value = new Proxy(source, {
    get(target, key) {
      if (typeof key === 'string' && key !== 'length') steps++;
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  return { value, steps: () => steps };
}

/** An object whose field reads and method calls are counted. Methods run on the object itself. */
export function countingObject<T extends object>(source: T): Counted<T> {
  let steps = 0;
  const value = new Proxy(source, {
    get(target, key) {
      steps++;
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  return { value, steps: () => steps };
}
