/** Archives of snapcompact: the history as pictures of its text, kept with the compaction and shown to the model again. */
import type { RawRecord } from './entry.ts';
import { asArray, asNumber, asRecord, asString, isRecord } from './read.ts';

/** Characters of image data that one request carries; older images are left out. */
const DATA_LIMIT = 3_000_000;

/** Archives without shapes once crashed their readers; from these sizes on the model gets none of their images. */
const OLD_LIMITS = { frames: 16, textChars: 250_000, truncatedChars: 1_000_000 };

/** A newline inside an archive's text, and the marks around dim text. */
const NEWLINE_GLYPH = '\u2588';
const DIM_MARKS = /[\u000e\u000f]/g;

export interface ArchiveView {
  blocks: RawRecord[];
  images: RawRecord[];
}

/**
 * The archive of a compaction as content blocks, oldest first; null when it has none.
 * @param limited for the model: within its limits. Else all of it.
 */
export function archiveView(compaction: RawRecord, limited: boolean): ArchiveView | null {
  const archive = asRecord(asRecord(compaction['preserveData'])['snapcompact']);
  const frames = asArray(archive['frames']).filter(isFrame);
  const texts = ['text', 'textHead', 'textTail'].map((key) => asString(archive[key]) ?? '');
  if (frames.length === 0 && texts.every((text) => text === '')) return null;
  const [text = '', head = '', tail = ''] = texts;
  const limit = limited ? limitOf(archive, frames, text === '' ? head + tail : text) : Number.POSITIVE_INFINITY;
  const middle = framesWithin(frames, limit);
  const images = middle.filter((block) => block['type'] === 'image');
  const blocks: RawRecord[] = [];
  if (head !== '') blocks.push(textBlock(plain(head) + (images.length > 0 ? '\n--- images of what follows ---\n' : '')));
  blocks.push(...middle);
  if (tail !== '') {
    const gap = (asNumber(archive['truncatedChars']) ?? 0) > 0 || middle.length > images.length;
    const before = images.length > 0 ? '--- images of what came before ---\n' : gap ? '\n--- left out ---\n' : '';
    const last = blocks.at(-1);
    if (last?.['type'] === 'text') blocks[blocks.length - 1] = textBlock(String(last['text']) + before + plain(tail));
    else blocks.push(textBlock(before + plain(tail)));
  }
  return { blocks, images };
}

function isFrame(frame: unknown): frame is RawRecord {
  return (
    isRecord(frame) &&
    typeof frame['data'] === 'string' &&
    frame['data'] !== '' &&
    typeof frame['mimeType'] === 'string' &&
    ['cols', 'rows', 'chars'].every((key) => typeof frame[key] === 'number')
  );
}

function limitOf(archive: RawRecord, frames: readonly RawRecord[], text: string): number {
  const old = frames.some((frame) => frame['font'] === undefined && frame['variant'] === undefined);
  if (!old) return DATA_LIMIT;
  const many = frames.length >= OLD_LIMITS.frames;
  const big = frames.reduce((sum, frame) => sum + String(frame['data']).length, 0) >= DATA_LIMIT;
  const truncated = asNumber(archive['truncatedChars']) ?? 0;
  const long = text.length >= OLD_LIMITS.textChars || truncated >= OLD_LIMITS.truncatedChars;
  return many || (big && long) ? 0 : DATA_LIMIT;
}

/** The frames as images, oldest first; the newest that fit stay, and a text stands for each run of the others. */
function framesWithin(frames: readonly RawRecord[], limit: number): RawRecord[] {
  const newestFirst: RawRecord[] = [];
  let used = 0;
  let omitted = 0;
  const closeGap = (): void => {
    if (omitted > 0) newestFirst.push(textBlock(`--- ${String(omitted)} images left out ---`));
    omitted = 0;
  };
  for (const frame of frames.toReversed()) {
    const size = String(frame['data']).length;
    if (used + size > limit) {
      omitted++;
      continue;
    }
    closeGap();
    used += size;
    newestFirst.push(imageOf(frame));
  }
  closeGap();
  return newestFirst.reverse();
}

function imageOf(frame: RawRecord): RawRecord {
  const image: RawRecord = { type: 'image', data: frame['data'], mimeType: frame['mimeType'] };
  if (Boolean(frame['detail'])) image['detail'] = frame['detail'];
  return image;
}

function textBlock(text: string): RawRecord {
  return { type: 'text', text };
}

function plain(text: string): string {
  return text.replace(DIM_MARKS, '').replaceAll(NEWLINE_GLYPH, '\n');
}
