import type { Context, Outline, SessionDetail } from '@stemma/api/schemas';

import type { AddressBar, SessionAddress, SessionSource } from '../src/lib/session/source.ts';

export interface FakeEntry {
  id: string;
  parent: string | null;
  type?: string;
  role?: string;
  title?: string;
  flags?: number;
}

/** A chain of user and assistant messages `a0 … an`. */
export function chain(length: number, prefix = 'a'): FakeEntry[] {
  return Array.from({ length }, (_, i) => ({
    id: `${prefix}${i}`,
    parent: i === 0 ? null : `${prefix}${i - 1}`,
    role: i % 2 === 0 ? 'user' : 'assistant',
  }));
}

export function outlinePage(entries: FakeEntry[], from: number, to: number, page: Partial<Outline> = {}): Outline {
  const rows = new Map(entries.map((entry, row) => [entry.id, row]));
  const part = entries.slice(from, to);
  return {
    epoch: 'e1',
    from,
    total: entries.length,
    complete: to >= entries.length,
    progress: { bytes: to, totalBytes: entries.length },
    leafId: entries.at(-1)?.id ?? null,
    columns: {
      id: part.map((entry) => entry.id),
      parent: part.map((entry) => (entry.parent === null ? -1 : (rows.get(entry.parent) ?? -1))),
      type: part.map((entry) => entry.type ?? 'message'),
      role: part.map((entry) => entry.role ?? ''),
      title: part.map((entry) => entry.title ?? entry.id),
      time: part.map((_, i) => (from + i) * 1000),
      bytes: part.map(() => 100),
      tokens: part.map(() => null),
      flags: part.map((entry) => entry.flags ?? 0),
    },
    ...page,
  };
}

export function detailOf(entries: FakeEntry[], patch: Partial<SessionDetail> = {}): SessionDetail {
  return {
    key: 'k',
    epoch: 'e1',
    leafId: entries.at(-1)?.id ?? null,
    labels: [],
    compactions: [],
    problems: [],
    problemsTotal: 0,
    ...patch,
  } as unknown as SessionDetail;
}

/** A server with one session; what it answers can be changed between calls. */
export class FakeServer implements SessionSource {
  entries: FakeEntry[];
  epoch = 'e1';
  detail: Partial<SessionDetail> = {};
  /** Where the session stands; at its last entry when it is not set. */
  leafId: string | null | undefined;
  /** Rows known at the n-th outline request; all of them after that. */
  known: number[] = [];
  pageSize = Infinity;
  asked: { from: number | undefined; epoch: string | undefined }[] = [];
  contextsAsked: (string | undefined)[] = [];
  failOutline: Error | null = null;
  lens: Pick<Context, 'lens' | 'lensKeys'> = { lens: [], lensKeys: [] };

  constructor(entries: FakeEntry[]) {
    this.entries = entries;
  }

  session = async (): Promise<SessionDetail> =>
    detailOf(this.entries, { epoch: this.epoch, ...(this.leafId !== undefined && { leafId: this.leafId }), ...this.detail });

  outline: SessionSource['outline'] = async (_key, query = {}, signal) => {
    signal?.throwIfAborted();
    if (this.failOutline) throw this.failOutline;
    this.asked.push({ from: query.from, epoch: query.epoch });
    const known = this.known.shift() ?? this.entries.length;
    const from = query.epoch === this.epoch ? (query.from ?? 0) : 0;
    const to = Math.min(known, from + this.pageSize);
    const complete = known === this.entries.length;
    const leafId = this.leafId === undefined ? (this.entries.at(-1)?.id ?? null) : this.leafId;
    return outlinePage(this.entries, from, to, { epoch: this.epoch, total: known, complete, leafId });
  };

  context: SessionSource['context'] = async (_key, query = {}) => {
    this.contextsAsked.push(query.leaf);
    return { epoch: this.epoch, leafId: query.leaf ?? null, messages: [], ...this.lens } as unknown as Context;
  };
}

/** An address bar that remembers how it was written. */
export class FakeAddress implements AddressBar {
  now = $state.raw<SessionAddress>({ leaf: null, entry: null, tab: null, view: null });
  written: string[] = [];

  constructor(address: Partial<SessionAddress> = {}) {
    this.now = { leaf: null, entry: null, tab: null, view: null, ...address };
  }

  read(): SessionAddress {
    return this.now;
  }

  write(address: SessionAddress, how: 'push' | 'replace'): void {
    this.now = address;
    this.written.push(how);
  }
}
