import { diskCode, readSpanSync, type Disk } from '../disk/disk.ts';
import { SessionDecoder } from '../logs/session-decoder.ts';
import type { Shapes } from '../shapes/define-shapes.ts';
import { modelForm } from '../shapes/evidence.ts';
import { detectShapes, SHAPES } from '../shapes/registry.ts';

/** Who writes a file shows in its first lines, as a rule. */
const HEAD_BYTES = 256 * 1024;

/** In whose form a session file is to be gone on with: what it shows counts most, then whose folder it lies in. */
export function shapesOfFile(disk: Disk, file: string): Shapes {
  const hint = familyOf(file);
  const decoder = new SessionDecoder();
  decoder.push(headOf(disk, file));
  decoder.settle();
  const { header, titleSlot, outline } = decoder;
  return detectShapes({ header, titleSlot, splitModelChange: modelForm(outline) }, hint);
}

/** The dialect whose agent keeps its sessions where a path leads. */
function familyOf(file: string): Shapes | undefined {
  const folders = file.split(/[/\\]/);
  return SHAPES.find((shapes) => shapes.folders.some((folder) => folders.includes(folder)));
}

/** Empty where it cannot be read: whoever opens it finds out why. */
function headOf(disk: Disk, file: string): Uint8Array {
  try {
    const open = disk.openSync(file, 'read');
    try {
      return readSpanSync(open, 0, Math.min(HEAD_BYTES, open.statSync().size));
    } finally {
      open.closeSync();
    }
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return new Uint8Array(0);
  }
}
