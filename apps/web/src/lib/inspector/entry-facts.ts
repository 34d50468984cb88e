import { asRecord, numberField, textField } from '../text/json.ts';

export interface EntryFacts {
  model: string | null;
  stopReason: string | null;
  /** Token counts and cost as the entry says them; null: not said. */
  usage: {
    input: number | null;
    output: number | null;
    cacheRead: number | null;
    cacheWrite: number | null;
    cost: number | null;
  } | null;
}

/** Model and usage of a stored entry, whatever its shape; null where it does not say them. */
export function entryFacts(entry: unknown): EntryFacts {
  const message = asRecord(entry)?.['message'] ?? entry;
  const provider = textField(message, 'provider');
  const model = textField(message, 'model', 'modelId');
  const usage = asRecord(message)?.['usage'];
  const cost = asRecord(usage)?.['cost'];
  return {
    model: provider !== null && model !== null ? `${provider}/${model}` : model,
    stopReason: textField(message, 'stopReason'),
    usage:
      asRecord(usage) === null
        ? null
        : {
            input: numberField(usage, 'input'),
            output: numberField(usage, 'output'),
            cacheRead: numberField(usage, 'cacheRead'),
            cacheWrite: numberField(usage, 'cacheWrite'),
            cost: typeof cost === 'number' ? cost : numberField(cost, 'total'),
          },
  };
}
