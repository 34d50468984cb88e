/** What a root can be said to be, after the last colon of `--root`. */
export const DIALECTS = ['musepi', 'pi', 'projects', 'dsh'] as const;

export type Dialect = (typeof DIALECTS)[number];

/** A place to serve sessions from. */
export interface RootOption {
  /** Absolute. */
  path: string;
  /** A hint; each session's header decides. */
  dialect?: Dialect;
}
