import type { Api } from '../api/client.ts';

/** The part of the HTTP API that the session page's state asks. Calls reject with an `AbortError` once their signal is aborted. */
export type SessionSource = Pick<Api, 'session' | 'outline' | 'context'>;

/** What the address of the page says besides the session. Null: not said. */
export interface SessionAddress {
  readonly leaf: string | null;
  readonly entry: string | null;
  /** Tab of the inspector. */
  readonly tab: string | null;
}

/** The address bar: `read` is reactive, `write` replaces the present address or pushes a new one. */
export interface AddressBar {
  read(): SessionAddress;
  write(address: SessionAddress, how: 'push' | 'replace'): void;
}

/** Address from the query string of `/s/:key`. Empty values count as not said. */
export function parseAddress(search: string | URLSearchParams): SessionAddress {
  const query = new URLSearchParams(search);
  const value = (name: string): string | null => query.get(name) || null;
  return { leaf: value('leaf'), entry: value('entry'), tab: value('tab') };
}

/** Query string for an address, with its `?`, or an empty string. Keys that are not ours are kept from `search`. */
export function formatAddress(address: SessionAddress, search: string | URLSearchParams = ''): string {
  const query = new URLSearchParams(search);
  for (const name of ['leaf', 'entry', 'tab'] as const) {
    const value = address[name];
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
