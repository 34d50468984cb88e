import type { Api } from '../api/client.ts';

/** The part of the HTTP API that the session page's state asks. Calls reject with an `AbortError` once their signal is aborted. */
export type SessionSource = Pick<Api, 'session' | 'outline' | 'context'>;

/** What the address of the page says besides the session. Null: not said. */
export interface SessionAddress {
  readonly leaf: string | null;
  readonly entry: string | null;
  /** Tab of the inspector. */
  readonly tab: string | null;
  /** View of the transcript. */
  readonly view: string | null;
}

/** The address bar: `read` is reactive, `write` replaces the present address or pushes a new one. */
export interface AddressBar {
  read(): SessionAddress;
  write(address: SessionAddress, how: 'push' | 'replace'): void;
}
