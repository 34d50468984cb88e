import type { Codec } from '../codec/codec.ts';
import { raw } from '../codec/raw.ts';
import { codecFor } from '../codec/registry.ts';
import type { Disk, DiskFile } from '../disk/disk.ts';
import type { SessionHeader } from '../entries/entry.ts';
import { OutlineBuilder } from '../outline/builder.ts';
import {
  firstPrompt,
  headerFacts,
  lastMessageTime,
  sessionStatus,
  type SessionSummary,
  sessionTitle,
  summarise,
} from '../outline/summary.ts';
import { RecordDecoder } from '../logs/records.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import type { Outline } from '../outline/outline.ts';
import type { Problem } from '../problems.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { modelForm } from '../shapes/evidence.ts';
import { detectShapes } from '../shapes/registry.ts';
import { nodeDecodeUtf8 } from './bodies.ts';
import type { FoundSession } from './scan.ts';
import { headOf, tailOf, type HeadFacts } from './slice-lines.ts';
import { storeError } from './store-error.ts';

type Counted = 'entryCount' | 'messageCount' | 'branchCount' | 'compactionCount' | 'tokens' | 'cost' | 'shape';

/** A summary from the ends of a file; what they cannot tell is null. */
export type SliceSummary = Omit<SessionSummary, Counted> & {
  [key in Counted]: SessionSummary[key] | null;
} & {
  /** The file has a header or at least one entry. */
  isSession: boolean;
  hasHeader: boolean;
  /** As it stands in the file. */
  header: SessionHeader | null;
  /** The whole file was read, so that counts and problems are final. */
  whole: boolean;
  /** Entries are known to refer to blobs, which nobody has looked for yet. */
  hasBlobs: boolean;
  shapes: Shapes;
  problems: Problem[];
};

/** Files up to this size are read whole: that costs little more than their ends. Of larger ones up to 64 KiB only what is odd is. */
const WHOLE_BYTES = 16 * 1024;
/** The first look at a larger file, and the most that is read of its beginning to find a prompt. */
const PREFIX_BYTES = 8 * 1024;
const PREFIX_MOST = 64 * 1024;
const TAIL_BYTES = 32 * 1024;

/** Where slices are read to: one place for all, because a file is opened, read and understood without a pause. */
const space = Buffer.allocUnsafeSlow(PREFIX_MOST + TAIL_BYTES);

/**
 * Reads the ends of one file. Throws `session_not_found` and `storage_io`.
 *
 * The file was looked at a moment ago, when it was found. To open it and to read two short pieces takes less time than
 * to have that done elsewhere and to wait for it, so it is done at once; others get their turn in between.
 */
export async function summariseSlices(disk: Disk, file: FoundSession, hint: Shapes | null): Promise<SliceSummary> {
  await ourTurn();
  try {
    const open = disk.openNoFollowSync(file.path);
    try {
      // What was found is what is summed up: a file that has grown since is found again.
      const size = file.sizeBytes;
      const codec = codecFor(file.path) ?? raw;
      if (codec !== raw) return await encodedSummary(codec, open, size, hint);
      const head = size <= WHOLE_BYTES ? null : readHead(open);
      if (head === null && size <= PREFIX_MOST) return wholeSummary(slice(open, 0, size), hint);
      return endsSummary(open, size, head ?? decodeHead(slice(open, 0, PREFIX_MOST)), hint);
    } finally {
      open.closeSync();
    }
  } catch (error) {
    throw storeError(error, file.path);
  }
}

/** Of a file whose bytes have to be decoded: its ends, or all of it where that is no more. */
async function encodedSummary(codec: Codec, file: DiskFile, size: number, hint: Shapes | null): Promise<SliceSummary> {
  const tail = await codec.tail(file, size, TAIL_BYTES);
  if (tail.whole) return wholeSummary(tail.bytes, hint);
  const head = asBuffer(await codec.head(file, size, PREFIX_MOST));
  return endsOf(headOf(head) ?? decodeHead(head), asBuffer(tail.bytes), hint);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** How long files are read one after the other without anybody else having a turn. */
const TURN_MS = 8;
let turnEnds = 0;

async function ourTurn(): Promise<void> {
  if (performance.now() < turnEnds) return;
  await new Promise((resolve) => setImmediate(resolve));
  turnEnds = performance.now() + TURN_MS;
}

/** Bytes of the file at a place of `space`, fewer only where the file ends; good until the place is used again. */
function slice(file: DiskFile, position: number, length: number, place = 0): Buffer {
  let used = 0;
  while (used < length) {
    const got = file.readSync(space, place + used, length - used, position + used);
    if (got === 0) break;
    used += got;
  }
  return space.subarray(place, place + used);
}

function wholeSummary(bytes: Uint8Array, hint: Shapes | null): SliceSummary {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  decoder.push(bytes);
  decoder.settle();
  const shapes = detectShapes(headFacts(decoder), hint ?? undefined);
  return {
    ...summarise(decoder.outline, decoder.header, shapes),
    isSession: decoder.header !== null || decoder.outline.rowCount > 0,
    hasHeader: decoder.header !== null,
    header: decoder.header,
    whole: true,
    hasBlobs: decoder.outline.blobRows().next().done !== true,
    shapes,
    problems: decoder.problems,
  };
}

function endsSummary(file: DiskFile, size: number, head: HeadFacts, hint: Shapes | null): SliceSummary {
  return endsOf(head, slice(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES), PREFIX_MOST), hint);
}

/** @param last the last bytes; the line that they begin in is left out */
function endsOf(head: HeadFacts, last: Buffer, hint: Shapes | null): SliceSummary {
  const tail = head.isHarness ? decodeEvents(last) : (tailOf(last) ?? decodeTail(last));
  const { header } = head;
  const shapes = detectShapes(head, hint ?? undefined);
  return {
    id: header?.id ?? null,
    ...headerFacts(header),
    title: sessionTitle([tail, head.rows], header, shapes),
    firstPrompt: firstPrompt(head.rows),
    // Files grow at the end: what is counted later rarely says another time, so that the row keeps its place.
    lastMessage: lastMessageTime(tail),
    entryCount: null,
    messageCount: null,
    branchCount: null,
    compactionCount: null,
    labels: [],
    models: [],
    tokens: null,
    cost: null,
    status: sessionStatus(tail),
    shape: null,
    // A file this large that begins without a record may still hold some: it is listed until it is counted.
    isSession: true,
    hasHeader: header !== null,
    header,
    whole: false,
    hasBlobs: false,
    shapes,
    problems: [],
  };
}

/** What the first bytes tell; without a prompt in them a second, longer look. null: not every line is as it should be. */
function readHead(file: DiskFile): HeadFacts | null {
  const head = headOf(slice(file, 0, PREFIX_BYTES));
  return head !== null && firstPrompt(head.rows) !== null ? head : headOf(slice(file, 0, PREFIX_MOST));
}

function decodeHead(bytes: Uint8Array): HeadFacts {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  decoder.push(bytes);
  return headFacts(decoder);
}

function headFacts({ header, titleSlot, outline, isHarness }: SessionDecoder): HeadFacts {
  return { header, titleSlot, splitModelChange: modelForm(outline), rows: outline, isHarness };
}

/** A header that says nothing, for the events of a log whose beginning is elsewhere. */
const NO_HEADER = Buffer.from('{"type":"session","version":0,"id":"","createdAt":0,"delegationDepth":0}\n');

/** Entries of the last bytes of a log of events; the line that the cut goes through is left out. */
function decodeEvents(bytes: Uint8Array): Outline {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  decoder.push(NO_HEADER);
  decoder.push(bytes.subarray(bytes.indexOf(LF) + 1));
  decoder.settle();
  return decoder.outline;
}

/** Entries of the last bytes; the line that the cut goes through is left out. */
function decodeTail(bytes: Uint8Array): Outline {
  const builder = new OutlineBuilder();
  const decoder = new RecordDecoder(
    {
      record: ({ value, byteOffset, byteLength, line }) => {
        if (typeof value['type'] === 'string') builder.add(value, { byteOffset, byteLength, line, record: line }, 'headerless');
      },
      problem: () => undefined,
    },
    { decode: nodeDecodeUtf8 },
  );
  decoder.push(bytes.subarray(bytes.indexOf(LF) + 1));
  decoder.settle();
  return builder.outline;
}

const LF = 10;
