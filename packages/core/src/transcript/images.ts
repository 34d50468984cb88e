import { contentBlocks } from '../entries/content.ts';
import type { RawRecord } from '../entries/entry.ts';
import { blobHash } from '../entries/parts.ts';
import { asRecord, asString } from '../entries/read.ts';

/** An image as an entry holds it. */
export interface EntryImage {
  mimeType: string;
  /** base64, when it is inline. */
  data: string | null;
  /** Hash of the blob that holds it, when it is not. */
  blob: string | null;
}

/** The n-th image of an entry in reading order (the number that transcript items give), or null. */
export function entryImage(entry: RawRecord, index: number): EntryImage | null {
  const content = entry['content'] ?? asRecord(entry['message'])['content'];
  let seen = 0;
  for (const raw of contentBlocks(content)) {
    const block = asRecord(raw);
    if (block['type'] !== 'image' || seen++ !== index) continue;
    const data = asString(block['data']) ?? '';
    const blob = blobHash(data);
    return { mimeType: asString(block['mimeType']) ?? '', data: blob === null ? data : null, blob };
  }
  return null;
}
