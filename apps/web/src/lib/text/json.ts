/** A JSON value that is an object, or null. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

/** The first of `names` that holds text. */
export function textField(value: unknown, ...names: string[]): string | null {
  const record = asRecord(value);
  for (const name of names) {
    const found = record?.[name];
    if (typeof found === 'string') return found;
  }
  return null;
}

/** The first of `names` that holds a finite number. */
export function numberField(value: unknown, ...names: string[]): number | null {
  const record = asRecord(value);
  for (const name of names) {
    const found = record?.[name];
    if (typeof found === 'number' && Number.isFinite(found)) return found;
  }
  return null;
}

/** JSON with two spaces; what JSON cannot say (undefined) is an empty text. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}

/** JSON on one line, cut to `limit` characters. */
export function inlineJson(value: unknown, limit: number): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > limit ? text.slice(0, limit - 1) + '…' : text;
}
