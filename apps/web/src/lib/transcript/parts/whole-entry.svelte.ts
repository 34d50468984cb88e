import type { Api } from '../../api/client.ts';
import { asRecord } from '../../text/json.ts';

/** Entries up to this many bytes are parsed, so that their long texts can be read as texts. */
const PARSE_LIMIT = 64 * 1024 * 1024;
/** Characters (bytes for an unparsed entry) shown at once. */
export const PIECE = 64 * 1024;
const LONG = 64 * 1024;
const IMAGE_FIELDS = new Set(['data', 'thinkingSignature', 'textSignature']);

export interface LongText {
  /** Where it stands in the entry: `message.content.0.text`. */
  place: string;
  text: string;
}

/** The texts of an entry that are longer than what the transcript shows; signatures and image data are left out. */
export function longTexts(entry: unknown, limit: number = LONG): LongText[] {
  const found: LongText[] = [];
  const stack: { value: unknown; place: string }[] = [{ value: entry, place: '' }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, place } = next;
    if (typeof value === 'string') {
      if (value.length > limit) found.push({ place, text: value });
      continue;
    }
    const children = Array.isArray(value) ? [...value.entries()] : Object.entries(asRecord(value) ?? {});
    for (const [name, child] of children.reverse()) {
      if (!IMAGE_FIELDS.has(String(name))) stack.push({ value: child, place: place === '' ? String(name) : `${place}.${name}` });
    }
  }
  return found;
}

/** One entry read whole, one piece of it shown. */
export class WholeEntryState {
  /** Texts of the entry; empty when it is shown as its stored bytes. */
  texts = $state.raw<LongText[]>([]);
  chosen = $state(0);
  piece = $state(0);
  shown = $state.raw<string | null>(null);
  error = $state.raw<Error | null>(null);
  #blob = $state.raw<Blob | null>(null);
  readonly #abort = new AbortController();

  readonly size = $derived(this.texts[this.chosen]?.text.length ?? this.#blob?.size ?? 0);
  readonly pieces = $derived(Math.max(1, Math.ceil(this.size / PIECE)));

  constructor(api: Pick<Api, 'entryRaw'>, key: string, entryId: string) {
    void this.#load(api, key, entryId);
  }

  async choose(text: number, piece: number): Promise<void> {
    this.chosen = text;
    this.piece = Math.max(0, piece);
    const from = this.piece * PIECE;
    const whole = this.texts[text]?.text;
    this.shown =
      whole === undefined ? ((await this.#blob?.slice(from, from + PIECE).text()) ?? '') : whole.slice(from, from + PIECE);
  }

  close(): void {
    this.#abort.abort();
  }

  async #load(api: Pick<Api, 'entryRaw'>, key: string, entryId: string): Promise<void> {
    try {
      const blob = await api.entryRaw(key, entryId, this.#abort.signal);
      if (blob.size <= PARSE_LIMIT) this.texts = longTexts(parseOrNull(await blob.text()));
      this.#blob = blob;
      await this.choose(0, 0);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.error = error as Error;
    }
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A damaged line is shown as it is stored.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
