/** Images of an entry, wherever they stand in it. */
import { blobHash, payloadKey, walkObjects, type BlobForm } from '../blobs/refs.ts';
import { contentBlocks } from './content.ts';
import type { RawRecord } from './entry.ts';
import { asArray, asRecord, asString } from './read.ts';

/** An image as it is stored. */
export interface StoredImage {
  /** As the file says; empty when it does not. */
  mimeType: string;
  /** base64; empty where a blob holds it. */
  data: string;
  /** Hash of the blob that holds it, or null. */
  blob: string | null;
  /** What the blob's bytes are: the image, or the text of its data URL. */
  form: BlobForm;
}

/** The image of a content block of that type. */
export function contentImage(block: RawRecord): StoredImage {
  return stored(asString(block['mimeType']) ?? '', asString(block['data']) ?? '', 'base64');
}

function stored(mimeType: string, data: string, form: BlobForm): StoredImage {
  const blob = blobHash(data);
  return { mimeType, data: blob === null ? data : '', blob, form };
}

const DATA_URL = /^data:(image\/[^;,]*)[^,]*;base64,/;

/** The image of an object elsewhere; null for none, and for addresses of the network. */
function imageOf(holder: RawRecord): StoredImage | null {
  const key = payloadKey(holder);
  if (key === null) return null;
  const text = holder[key] as string;
  if (text === '') return null;
  if (key === 'data') return contentImage(holder);
  if (key === 'result') return stored('image/png', text, 'base64');
  if (blobHash(text) !== null) return stored('', text, 'text');
  const url = DATA_URL.exec(text);
  return url === null ? null : stored(url[1]!, text.slice(url[0].length), 'base64');
}

/** Fields in which tools, extensions and compactions keep images. */
const BESIDE = ['images', 'frames', 'details', 'preserveData'];
/** What a provider keeps of the history holds the same images again. */
const HISTORY = 'preserveData';

/** Images of a message that stand beside its content, in the order of their fields; those that the content shows too are left out. */
export function imagesBeside(message: RawRecord): StoredImage[] {
  const found: StoredImage[] = [];
  for (const field of BESIDE) {
    const value = message[field];
    if (typeof value !== 'object' || value === null) continue;
    walkObjects(value, (holder) => {
      if (field === HISTORY && payloadKey(holder) !== 'data') return;
      const image = imageOf(holder);
      if (image !== null) found.push(image);
    });
  }
  if (found.length === 0) return found;
  const shown = new Set(imagesInContent(message).map(identity));
  return found.filter((image) => !shown.has(identity(image)) && shown.add(identity(image)));
}

function imagesInContent(message: RawRecord): StoredImage[] {
  const images: StoredImage[] = [];
  for (const raw of contentBlocks(message['content'])) {
    const block = asRecord(raw);
    if (block['type'] === 'image') images.push(contentImage(block));
  }
  for (const raw of asArray(message['files'])) {
    const { image } = asRecord(raw);
    if (image !== undefined && image !== null) images.push(contentImage(asRecord(image)));
  }
  return images;
}

const identity = ({ blob, data }: StoredImage): string => blob ?? data;

/** All images of a message in reading order: those of its content, of mentioned files, and those beside. */
export function imagesOf(message: RawRecord): StoredImage[] {
  return [...imagesInContent(message), ...imagesBeside(message)];
}
