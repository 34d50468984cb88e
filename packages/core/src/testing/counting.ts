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

/**
 * Bytes whose reads are counted, those inside of searches and of parts among them. Decoders of the platform do not take
 * them: `plain` answers the bytes themselves.
 */
export function countingBytes(source: Uint8Array): Counted<Uint8Array> & { plain(bytes: Uint8Array): Uint8Array } {
  let steps = 0;
  const plain = new WeakMap<object, Uint8Array>();
  const wrap = (bytes: Uint8Array): Uint8Array => {
    const methods: Record<string, unknown> = {
      subarray: (from?: number, to?: number) => wrap(bytes.subarray(from, to)),
      indexOf(byte: number, from = 0) {
        const at = bytes.indexOf(byte, from);
        steps += (at < 0 ? bytes.length : at + 1) - from;
        return at;
      },
      includes(byte: number) {
        steps += bytes.length;
        return bytes.includes(byte);
      },
    };
    const proxy = new Proxy(bytes, {
      get(target, key) {
        if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key];
        if (typeof key === 'string' && /^\d/.test(key)) steps++;
        const found: unknown = Reflect.get(target, key, target);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    });
    plain.set(proxy, bytes);
    return proxy;
  };
  return { value: wrap(source), steps: () => steps, plain: (bytes) => plain.get(bytes) ?? bytes };
}
