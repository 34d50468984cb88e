import type { ContextRuleSet } from '../context/plan.ts';
import type { ContextRules } from '../context/types.ts';
import type { RawRecord, SessionHeader } from '../entries/entry.ts';
import type { TitleSlot } from '../logs/header.ts';
import type { LegacyBuckets, PathFacts } from './buckets.ts';

/** What a file shows of who wrote it. */
export interface ShapeEvidence {
  header: SessionHeader | null;
  titleSlot: TitleSlot | null;
  /** A model_change as one "provider/id" text (false), as two fields (true), or none seen (null). */
  splitModelChange: boolean | null;
  /** It is a log of events. */
  isHarness?: boolean;
}

/** How one family's agents write sessions: what our own writing follows. */
export interface WritingShapes {
  /** Where its agent keeps everything, below the home folder. */
  readonly agentFolder: readonly string[];
  /** The environment variable that names one folder for all sessions, without buckets; null for none. */
  readonly flatFolderVariable: string | null;
  /** The folder name for a working directory, which must be absolute and canonical. */
  bucketName(cwd: string, facts: PathFacts): string;
  /** Names that such folders had before; null where they never had others. */
  readonly legacyBuckets: LegacyBuckets | null;
  /** Long texts are cut, images go to blobs, passing fields are left out. Otherwise everything is stored whole. */
  readonly compact: boolean;
  /** Fields of a model_change. */
  modelChange(provider: string, modelId: string, role?: string): RawRecord;
  /** Fields of a thinking_level_change. */
  thinkingLevelChange(level: string | null): RawRecord;
  /** The field that says that a summary is an extension's. */
  readonly extensionFlag: 'fromExtension' | 'fromHook';
  /** What a rename appends, and what it changes in the header. */
  rename(name: string, source: 'auto' | 'user', header: SessionHeader): { entry: RawRecord; header: Partial<SessionHeader> };
  /** A name as it is stored; null for one that cannot be given. An empty name takes the name away. */
  cleanName(name: string): string | null;
  /** What `parentSession` of a fork names. */
  readonly forkParent: 'id' | 'path';
  /** Header fields that a full copy of a session takes over, besides those that every header has. */
  forkHeader(source: SessionHeader): Partial<SessionHeader>;
  /** A branch made a session of its own is stored at once, not only when it has an answer. */
  readonly branchAtOnce: boolean;
  /** What `fromId` of a branch summary names: the entry that is gone on from, or the leaf that is left. */
  readonly branchFrom: 'target' | 'leaf';
  /** Custom messages say on whose behalf they were sent. */
  readonly attribution: boolean;
}

/** How one family of agents writes sessions: one object each, one line in `registry.ts`. */
export interface Shapes {
  readonly id: ContextRules;
  /** Its files are logs of events, and not of entries. */
  readonly events: boolean;
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
  readonly writes: WritingShapes;
  /** What `modified` means: the file's time, or that of the last prompt or answer. */
  readonly modifiedBy: 'file' | 'message';
}
