import { readSpan, type Disk, type DiskFile } from '../disk/disk.ts';
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
import { storeError } from './store-error.ts';

type Counted = 'entryCount' | 'messageCount' | 'branchCount' | 'compactionCount' | 'tokens' | 'cost' | 'shape';

/** A summary from the ends of a file; what they cannot tell is null. */
export type SliceSummary = Omit<SessionSummary, Counted> & {
  [key in Counted]: SessionSummary[key] | null;
} & {
  /** The file has a header or at least one entry. */
  isSession: boolean;
  hasHeader: boolean;
  /** The whole file was read, so that counts and problems are final. */
  whole: boolean;
  /** Entries are known to refer to blobs, which nobody has looked for yet. */
  hasBlobs: boolean;
  shapes: Shapes;
  problems: Problem[];
};

/** Files up to this size are read whole: that costs no more than their ends. */
const WHOLE_BYTES = 64 * 1024;
/** The first look at a larger file, and the most that is read of its beginning to find a prompt. */
const PREFIX_BYTES = 8 * 1024;
const PREFIX_MOST = 64 * 1024;
const TAIL_BYTES = 32 * 1024;

/** Reads the ends of one file. Throws `session_not_found` and `storage_io`. */
export async function summariseSlices(disk: Disk, file: FoundSession, hint: Shapes | null): Promise<SliceSummary> {
  try {
    const open = await disk.openNoFollow(file.path);
    try {
      const { size } = open.statSync();
      return size <= WHOLE_BYTES ? wholeSummary(await readSpan(open, 0, size), hint) : await endsSummary(open, size, hint);
    } finally {
      open.closeSync();
    }
  } catch (error) {
    throw storeError(error, file.path);
  }
}

function wholeSummary(bytes: Uint8Array, hint: Shapes | null): SliceSummary {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  decoder.push(bytes);
  decoder.settle();
  const shapes = shapesOf(decoder, hint);
  return {
    ...summarise(decoder.outline, decoder.header, shapes),
    isSession: decoder.header !== null || decoder.outline.rowCount > 0,
    hasHeader: decoder.header !== null,
    whole: true,
    hasBlobs: decoder.outline.blobRows().next().done !== true,
    shapes,
    problems: decoder.problems,
  };
}

async function endsSummary(file: DiskFile, size: number, hint: Shapes | null): Promise<SliceSummary> {
  const decoder = await decodePrefix(file);
  const shapes = shapesOf(decoder, hint);
  const tail = await decodeTail(file, size);
  return {
    id: decoder.header?.id ?? null,
    ...headerFacts(decoder.header),
    title: sessionTitle([tail, decoder.outline], decoder.header, shapes),
    firstPrompt: firstPrompt(decoder.outline),
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
    hasHeader: decoder.header !== null,
    whole: false,
    hasBlobs: false,
    shapes,
    problems: [],
  };
}

/** Reads on until there is a prompt, within bounds. */
async function decodePrefix(file: DiskFile): Promise<SessionDecoder> {
  const decoder = new SessionDecoder({ decode: nodeDecodeUtf8 });
  let at = 0;
  for (let step = PREFIX_BYTES; at < PREFIX_MOST; step = at) {
    const chunk = await readSpan(file, at, step);
    decoder.push(chunk);
    at += chunk.length;
    if (chunk.length < step || firstPrompt(decoder.outline) !== null) break;
  }
  return decoder;
}

/** Entries of the last bytes; the line that the cut goes through is left out. */
async function decodeTail(file: DiskFile, size: number): Promise<Outline> {
  const bytes = await readSpan(file, size - TAIL_BYTES, TAIL_BYTES);
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

function shapesOf(decoder: SessionDecoder, hint: Shapes | null): Shapes {
  return detectShapes(
    { header: decoder.header, titleSlot: decoder.titleSlot, splitModelChange: modelForm(decoder.outline) },
    hint ?? undefined,
  );
}
