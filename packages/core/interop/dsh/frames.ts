import { decompressFrame } from '../../src/codec/zstd/engine.ts';
import { scanFrame } from '../../src/codec/zstd/frames.ts';

/** Texts of the frames of a log, in order. Throws where something is no frame, or has no checksum. */
export function frameTexts(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const scan = scanFrame(bytes, at);
    if (scan.kind !== 'frame') throw new Error(`no frame at ${String(at)}: ${scan.kind}`);
    if (!scan.frame.header.hasChecksum) throw new Error(`the frame at ${String(at)} has no checksum`);
    texts.push(Buffer.from(decompressFrame(bytes.subarray(at, at + scan.frame.length))).toString('utf8'));
    at += scan.frame.length;
  }
  return texts;
}
