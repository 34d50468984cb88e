import { clipStrings, entryImage, SessionStoreError, type SessionReader } from '@stemma/core';

import type { EntryAnswer } from '../schemas/entry.ts';
import type { OpenSession } from './open-session.ts';

/** Stored text is shown up to here; `?raw=1` answers all of it. */
const RAW_LIMIT = 256 * 1024;
/** A record over this many bytes is not parsed for display: it would hold up everyone, and much memory. */
const PARSE_LIMIT = 16 * 1024 * 1024;

/** An entry as it is stored, long texts cut. */
export async function storedEntry(reader: SessionReader, row: number): Promise<EntryAnswer> {
  const bytes = await reader.loadRaw(row);
  const isWhole = bytes.length <= PARSE_LIMIT;
  const { value, longest } = isWhole ? clipStrings(parsed(bytes)) : { value: null, longest: bytes.length };
  const cut = Math.max(longest, bytes.length > RAW_LIMIT ? bytes.length : 0);
  return {
    epoch: reader.epoch,
    entryId: reader.outline.id(row),
    row,
    line: reader.outline.line(row),
    byteOffset: reader.outline.offset(row),
    byteLength: bytes.length,
    entry: value,
    raw: textOf(bytes.subarray(0, RAW_LIMIT)),
    ...(cut > 0 ? { truncated: { bytes: cut } } : {}),
  };
}

/**
 * The bytes of the n-th image of an entry, wherever they are kept.
 *
 * @throws SessionStoreError `entry_not_found` when the entry has no such image, `blob_missing`, `blob_corrupt`
 */
export async function storedImage({ reader, root, file }: OpenSession, row: number, n: number): Promise<Uint8Array> {
  const [entry] = await reader.load([row]);
  const image = entry === undefined ? null : entryImage({ ...entry }, n);
  if (image === null)
    throw new SessionStoreError('entry_not_found', 'The entry has no such image.', { entryId: reader.outline.id(row) });
  if (image.blob === null) return Buffer.from(image.data ?? '', 'base64');
  const bytes = await root.blob(image.blob, file);
  if (bytes === undefined) throw new SessionStoreError('blob_missing', 'This blob is not in the store.', { sha256: image.blob });
  return image.form === 'text' ? dataUrlBytes(textOf(bytes)) : bytes;
}

/** What a data URL holds; nothing for any other text. */
function dataUrlBytes(url: string): Uint8Array {
  return Buffer.from(/^data:[^,]*;base64,(.*)$/s.exec(url)?.[1] ?? '', 'base64');
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The value of a record; null where the lenient reader took what JSON.parse does not. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
