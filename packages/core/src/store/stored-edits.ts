import { readSpanSync } from '../disk/disk.ts';
import type { FileEntry } from '../entries/entry.ts';
import { look } from './foreign-look.ts';
import type { Steps } from './steps.ts';
import { isStoredAs } from './stored-lines.ts';
import type { RawSource } from './stored-record.ts';
import { letGo } from './let-go.ts';
import type { FileState } from './stored-state.ts';

/** So many bytes are compared before others have a turn. */
const TURN_BYTES = 1024 * 1024;

/** Finds out which entries were changed in place: their bytes are not copied any more. */
export function* outdateEdited(state: FileState, source: RawSource, entries: readonly FileEntry[]): Steps<void> {
  look(state, source, true);
  if (state.lost) return;
  const { epoch, ground, path } = state;
  const { spans } = state.log!;
  const numberOf = state.numbers();
  const file = ground.disk.openSync(path, 'read');
  try {
    let compared = 0;
    for (const value of entries) {
      const number = numberOf({ value });
      if (number === undefined) continue;
      const raw = readSpanSync(file, spans.offset(number), spans.length(number));
      if (!isStoredAs(value, raw, ground.forms.prepare)) spans.outdate(number);
      compared += raw.length;
      if (compared < TURN_BYTES) continue;
      compared = 0;
      yield;
      // Somebody else has replaced the file: what is known of it was read a moment ago.
      if (state.epoch !== epoch) return;
    }
  } finally {
    letGo(file);
  }
}
