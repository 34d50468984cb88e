/** Groups in one list. Browsers cap the height of an element; this many stay well below every cap. */
export const WINDOW_SIZE = 20_000;

export interface ListWindow {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The part of a list of `total` groups to show so that `index` is inside, in the middle where it can be. */
export function windowAround(total: number, index: number, size: number = WINDOW_SIZE): ListWindow {
  if (total <= size) return { start: 0, end: total };
  const start = Math.min(total - size, Math.max(0, index - Math.floor(size / 2)));
  return { start, end: start + size };
}

/** Keeps the window while `index` is inside it, else moves it there. */
export function windowFor(current: ListWindow, total: number, index: number, size: number = WINDOW_SIZE): ListWindow {
  // A window at the end of a path that grows is a little longer.
  const fits = current.end <= total && current.end - current.start >= Math.min(total, size);
  return fits && index >= current.start && index < current.end ? current : windowAround(total, index, size);
}
