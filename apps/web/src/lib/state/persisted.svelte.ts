/**
 * A value kept in `localStorage` as JSON and shared between tabs. What is stored is checked by `accepts`, because an
 * older version or a person may have written something else. Without storage (blocked, full) it lives in memory.
 */
export class Persisted<T> {
  readonly #key: string;
  readonly #initial: T;
  readonly #accepts: (value: unknown) => value is T;
  #value: T;

  constructor(key: string, initial: T, accepts: (value: unknown) => value is T) {
    this.#key = key;
    this.#initial = initial;
    this.#accepts = accepts;
    this.#value = $state.raw(this.#parse(read(key)));
    globalThis.addEventListener('storage', (event) => {
      if (event.key === key || event.key === null) this.#value = this.#parse(event.newValue);
    });
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    write(this.#key, JSON.stringify(value));
  }

  #parse(text: string | null): T {
    if (text === null) return this.#initial;
    try {
      const value: unknown = JSON.parse(text);
      return this.#accepts(value) ? value : this.#initial;
    } catch (error) {
      if (error instanceof SyntaxError) return this.#initial;
      throw error;
    }
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    // Browsers throw a SecurityError where the person forbids storage.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    // SecurityError or QuotaExceededError: the choice holds until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}
