import type { BlobForm } from '../blobs/refs.ts';
import type { RawRecord } from '../entries/entry.ts';
import { imagesOf } from '../entries/images.ts';
import { isRecord } from '../entries/read.ts';

/** An image as an entry holds it. */
export interface EntryImage {
  mimeType: string;
  /** base64, when it is inline. */
  data: string | null;
  /** Hash of the blob that holds it, when it is not. */
  blob: string | null;
  /** What the blob's bytes are: `base64`: the image itself; `text`: a data URL. */
  form: BlobForm;
}

/** The n-th image of an entry in reading order (the number that transcript items give), or null. */
export function entryImage(entry: RawRecord, index: number): EntryImage | null {
  const { message } = entry;
  const image = imagesOf(isRecord(message) ? message : entry)[index];
  if (image === undefined) return null;
  const { mimeType, data, blob, form } = image;
  return { mimeType, data: blob === null ? data : null, blob, form };
}
