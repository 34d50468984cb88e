/**
 * A walk through a JSON value and a changed copy of it. Only what changes, and what leads there, is copied; all else is
 * shared with the value, which stays as it is. No recursion: values may be nested at will.
 */
export class JsonEdit {
  /** Objects and lists in the order of depth; whoever walks adds those inside. */
  readonly nodes: object[];
  readonly #parents: number[] = [-1];
  readonly #keys: (string | number)[] = [''];
  #copies: Map<number, Record<string | number, unknown>> | null = null;

  constructor(root: object) {
    this.nodes = [root];
  }

  /** @param parent number of the node that holds it, under `key` */
  add(node: object, parent: number, key: string | number): void {
    this.nodes.push(node);
    this.#parents.push(parent);
    this.#keys.push(key);
  }

  set(at: number, key: string | number, value: unknown): void {
    this.#copy(at)[key] = value;
  }

  remove(at: number, key: string): void {
    Reflect.deleteProperty(this.#copy(at), key);
  }

  /** The changed value; the same object when nothing was changed. */
  get result(): object {
    return this.#copies?.get(0) ?? this.nodes[0]!;
  }

  #copy(at: number): Record<string | number, unknown> {
    const copies = (this.#copies ??= new Map());
    const known = copies.get(at);
    if (known !== undefined) return known;
    const wanted = shallowCopy(this.nodes[at]!);
    copies.set(at, wanted);
    let inner = wanted;
    for (let child = at; child > 0;) {
      const parent = this.#parents[child]!;
      const above = copies.get(parent);
      const holder = above ?? shallowCopy(this.nodes[parent]!);
      holder[this.#keys[child]!] = inner;
      if (above !== undefined) break;
      copies.set(parent, holder);
      inner = holder;
      child = parent;
    }
    return wanted;
  }
}

/** Keeps a field called `__proto__` a field, and the order of fields. */
function shallowCopy(node: object): Record<string | number, unknown> {
  return (Array.isArray(node) ? [...(node as unknown[])] : { ...node }) as Record<string | number, unknown>;
}
