import type { ContextRuleSet } from '../context/plan.ts';
import type { ContextRules } from '../context/types.ts';
import type { SessionHeader } from '../entries/entry.ts';
import type { TitleSlot } from '../logs/header.ts';

/** What a file shows of who wrote it. */
export interface ShapeEvidence {
  header: SessionHeader | null;
  titleSlot: TitleSlot | null;
  /** A model_change as one "provider/id" text (false), as two fields (true), or none seen (null). */
  splitModelChange: boolean | null;
}

/** How one family of agents writes sessions: one object each, one line in `registry.ts`. */
export interface Shapes {
  readonly id: ContextRules;
  /** Folder names in a root's path that tell the family. */
  readonly folders: readonly string[];
  /** Does a bucket folder's name look like this family's? */
  isBucketName(name: string): boolean;
  /** 2: surely this family's file; 1: looks like it; 0: nothing speaks for it. */
  weigh(evidence: ShapeEvidence): 0 | 1 | 2;
  readonly context: ContextRuleSet;
  /** Null message content reads as empty. */
  readonly emptyForNull: boolean;
  /** Entry type whose last `name` is the session's title; null where the header holds it. */
  readonly titleEntry: string | null;
  /** What `modified` means: the file's time, or that of the last prompt or answer. */
  readonly modifiedBy: 'file' | 'message';
}
