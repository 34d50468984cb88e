import { blobHash } from '../blobs/refs.ts';
import { MAX_PERSIST_CHARS } from './cut.ts';

/** Base64 of an image from this many characters on is kept as a blob. */
export const MIN_BLOB_CHARS = 1024;

/** Something may be stored otherwise than it is. */
export const CHANGES = 1;
/** There is a text that may refer to a blob. */
export const REFERS = 2;

/** Only values that contain themselves have this many parts. */
const SUSPICIOUS_PARTS = 100_000;

/**
 * What an entry may need before it is written, or after it was read: `CHANGES`, `REFERS`, both or 0. Nearly all entries
 * need nothing; this says so for a small part of what serialising costs, which is why it is one bare loop.
 *
 * @throws `TypeError` for a value that contains itself, as JSON does.
 */
export function glance(entry: object): number {
  let found = 0;
  const pending: object[] = [entry];
  let parts = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (++parts === SUSPICIOUS_PARTS) JSON.stringify(entry); // ends here what would never end
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        const inner: unknown = node[i];
        if (typeof inner === 'string') {
          if (inner.length > MAX_PERSIST_CHARS) found |= CHANGES;
        } else if (typeof inner === 'object' && inner !== null) pending.push(inner);
      }
      continue;
    }
    for (const key in node) {
      const inner = (node as Record<string, unknown>)[key];
      if (typeof inner === 'string') {
        if (inner.length >= MIN_BLOB_CHARS) {
          if (inner.length > MAX_PERSIST_CHARS || key === 'data' || key === 'result') found |= CHANGES;
        } else if (blobHash(inner) !== null) found |= REFERS;
      } else if (typeof inner === 'object' && inner !== null) pending.push(inner);
      if (key === 'partialJson' || key === 'jsonlEvents' || key === 'image_url') found |= CHANGES;
    }
  }
  return found;
}
