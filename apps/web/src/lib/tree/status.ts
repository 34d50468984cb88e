import { t } from '../i18n/index.ts';
import { compactionNumber, reasonText, statusText, toldStatus } from '../inspector/words.ts';
import type { LensKey } from '../session/lens.svelte.ts';
import { countedStatus, type CountedStatus } from './run-lens.ts';
import type { Scene } from './scene.svelte.ts';

/** Marks of what became of an entry, as strokes in a 16 × 16 box. Those that are sent have none. */
export const STATUS_MARKS: Readonly<Record<CountedStatus, string>> = {
  folded: 'M3 5h10M3 8h10M3 11h10',
  dropped: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3zM4.6 11.4l6.8-6.8',
  adjusted: 'M2.5 9.5c2-4 3.5-4 5.5-1.5s3.5 2.5 5.5-1.5',
  neverSent: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  notYet: 'M3 7.5v1M8 7.5v1M13 7.5v1',
};

/** The status of a row that needs a word, with its reason; null for what is sent, on another branch, or not known yet. */
export function statusOf(scene: Scene, row: number): { status: CountedStatus; text: string } | null {
  const key = scene.lens?.keys[scene.lens.status[row] ?? -1];
  const status = key === undefined ? null : countedStatus(key);
  return key === undefined || status === null ? null : { status, text: statusWords(key, scene.compactions) };
}

/** "never sent: a change of settings" */
export function statusWords(key: LensKey, compactions: Scene['compactions']): string {
  if (key.reason === undefined && key.compactionId === undefined) return t(`inspector.statusLong.${key.status}`);
  if (key.status === 'folded' && key.reason === undefined && key.compactionId !== undefined) {
    return t('inspector.foldedInto', { n: compactionNumber(key.compactionId, compactions) });
  }
  return t('session.status.because', { status: statusText(toldStatus(key)), reason: reasonText(key, compactions) });
}
