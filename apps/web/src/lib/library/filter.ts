import type { SessionsQuery, SummaryRow } from '@stemma/api/schemas';

export type Sort = NonNullable<SessionsQuery['sort']>;
export type Order = NonNullable<SessionsQuery['order']>;
/** How a session ended, and what it does now: one filter for both. */
export type Ended = SummaryRow['status'];
export type Live = NonNullable<SummaryRow['live']>;
export type Status = Ended | Live;
export type Having = NonNullable<SessionsQuery['with']>;

/** The order that each sort begins with. */
const FIRST_ORDER: Readonly<Record<Sort, Order>> = {
  modified: 'desc',
  created: 'desc',
  title: 'asc',
  size: 'desc',
  entries: 'desc',
  tokens: 'desc',
  cost: 'desc',
};
const LIVE: Readonly<Record<Live, true>> = { running: true, waiting: true, paused: true };
const ENDED: Readonly<Record<Ended, true>> = {
  complete: true,
  interrupted: true,
  aborted: true,
  error: true,
  pending: true,
  unknown: true,
};
const HAVING: Readonly<Record<Having, true>> = { problems: true, branches: true, compactions: true, labels: true };

export const SORTS = Object.keys(FIRST_ORDER) as Sort[];
export const LIVES = Object.keys(LIVE) as Live[];
export const STATUSES = Object.keys(ENDED) as Ended[];
export const HAVINGS = Object.keys(HAVING) as Having[];

/** What the library shows; the address holds it. */
export interface Filter {
  readonly root: string | undefined;
  readonly project: string | undefined;
  readonly q: string | undefined;
  readonly label: string | undefined;
  readonly status: Status | undefined;
  readonly with: Having | undefined;
  readonly sort: Sort;
  readonly order: Order;
}

/** The filter that an address asks for. Values that are not ours count as not said. */
export function parseFilter(query: URLSearchParams): Filter {
  const text = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const one = <T extends string>(name: string, known: Readonly<Record<T, unknown>>): T | undefined => {
    const value = query.get(name);
    return value !== null && Object.hasOwn(known, value) ? (value as T) : undefined;
  };
  const sort = one('sort', FIRST_ORDER) ?? 'modified';
  const order = one<Order>('order', { asc: true, desc: true }) ?? FIRST_ORDER[sort];
  return {
    root: text('root'),
    project: text('project'),
    q: text('q'),
    label: text('label'),
    status: one<Status>('status', { ...LIVE, ...ENDED }),
    with: one('with', HAVING),
    sort,
    order,
  };
}

/** The order as the address says it: nothing where it is the sort's own. */
export function orderInAddress(sort: Sort, order: Order): Order | null {
  return order === FIRST_ORDER[sort] ? null : order;
}

/** Takes every filter out of the address, and leaves the sort. */
export const NO_FILTERS = { root: null, project: null, q: null, label: null, status: null, with: null } as const;

/** Whether anything but the sort is chosen. */
export function isFiltered(filter: Filter): boolean {
  return Object.keys(NO_FILTERS).some((name) => filter[name as keyof typeof NO_FILTERS] !== undefined);
}
