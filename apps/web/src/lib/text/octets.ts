/** A stretch of stored bytes: text as it reads, or what no text can be, in hexadecimal. */
export interface OctetPiece {
  kind: 'text' | 'bytes';
  text: string;
}

/** Bytes of the UTF-8 sequence that begins at `at`; 0 where none does. The table of well-formed sequences of Unicode 3.9. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Bytes that are shown as themselves: everything but control characters, among which tab and line feed may stay. */
const isText = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10;

/** "00×512" */
const hex = (byte: number, times: number): string => {
  const digits = byte.toString(16).toUpperCase().padStart(2, '0');
  return times === 1 ? digits : `${digits}×${String(times)}`;
};

/** The end of at least `length` octets, moved on to where a character ends. */
export function wholeCharacters(octets: string, length: number): number {
  let end = Math.min(length, octets.length);
  while (end < length + 3 && (octets.charCodeAt(end) & 0xc0) === 0x80) end++;
  return end;
}

/** Stored bytes, one character each (U+0000 … U+00FF), as they can be read. Linear; equal bytes in a row are counted. */
export function octetPieces(octets: string): OctetPiece[] {
  const bytes = Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: OctetPiece[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    for (let length; at < bytes.length && isText(bytes[at]!) && (length = sequenceLength(bytes, at)) > 0;) at += length;
    if (at > start) pieces.push({ kind: 'text', text: decoder.decode(bytes.subarray(start, at)) });
    const damaged: string[] = [];
    while (at < bytes.length && (!isText(bytes[at]!) || sequenceLength(bytes, at) === 0)) {
      const from = at;
      while (bytes[at] === bytes[from] && at < bytes.length && (!isText(bytes[at]!) || sequenceLength(bytes, at) === 0)) at++;
      damaged.push(hex(bytes[from]!, at - from));
    }
    if (damaged.length > 0) pieces.push({ kind: 'bytes', text: damaged.join(' ') });
  }
  return pieces;
}
