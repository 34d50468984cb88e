import type { Lens, LensKey } from '../session/lens.svelte.ts';

/** What became of a row in the model's view, or null while it is not known. */
export function lensKeyOf(lens: Lens | null, row: number): LensKey | null {
  return lens?.keys[lens.status[row] ?? -1] ?? null;
}

export function isFolded(lens: Lens | null, row: number): boolean {
  return lensKeyOf(lens, row)?.status === 'folded';
}
