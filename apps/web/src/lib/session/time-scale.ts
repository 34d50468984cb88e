/** A stretch of time without a long pause in it, and where it stands in pixels. */
interface Stretch {
  from: number;
  to: number;
  left: number;
  right: number;
}

/** Places times on a line. Long pauses take a little room however long they are: sessions go on for days. */
export interface TimeScale {
  readonly stretches: readonly Stretch[];
  /** Pixels of a time (epoch ms). */
  x(time: number): number;
  /** The time at a pixel; in a pause that of the nearer end. */
  time(x: number): number;
  /** Pixels of many times in ascending order. */
  xs(times: Float64Array): Float64Array;
}

/** A pause longer than this is drawn short. */
const PAUSE_MS = 30 * 60_000;
/** So much time a stretch is given at least. */
const LEAST_MS = 60_000;
/** Widest pause in pixels, and the share of the width that all of them may take. */
const PAUSE_WIDTH = 14;
const PAUSE_SHARE = 0.3;

/** A scale for times in ascending order, from 0 to `width` pixels. */
export function timeScale(times: Float64Array, width: number): TimeScale {
  const spans: { from: number; to: number }[] = [];
  for (const time of times) {
    const last = spans.at(-1);
    if (last && time - last.to <= PAUSE_MS) last.to = time;
    else spans.push({ from: time, to: time });
  }
  const pauses = Math.max(0, spans.length - 1);
  const pause = Math.min(PAUSE_WIDTH, (width * PAUSE_SHARE) / Math.max(pauses, 1));
  // A session without pauses has the width for itself, however short it is.
  const least = pauses === 0 ? 0 : LEAST_MS;
  const lengths = spans.map(({ from, to }) => Math.max(least, to - from));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const perMs = (width - pauses * pause) / Math.max(total, 1);
  let left = 0;
  const stretches = spans.map(({ from, to }, index) => {
    const right = left + lengths[index]! * perMs;
    const stretch = { from, to, left, right };
    left = right + pause;
    return stretch;
  });

  const placeIn = ({ from, left, right }: Stretch, time: number): number =>
    Math.min(right, Math.max(left, left + (time - from) * perMs));
  const last = (found: (stretch: Stretch) => boolean): Stretch | undefined => {
    let low = 0;
    let high = stretches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found(stretches[middle]!)) low = middle + 1;
      else high = middle;
    }
    return stretches[Math.max(0, low - 1)];
  };
  return {
    stretches,
    x(time) {
      const at = last((stretch) => stretch.from <= time);
      return at ? placeIn(at, time) : 0;
    },
    xs(times) {
      let next = 0;
      return times.map((time) => {
        while (next + 1 < stretches.length && stretches[next + 1]!.from <= time) next++;
        return placeIn(stretches[next]!, time);
      });
    },
    time(x) {
      const at = last((stretch) => stretch.left <= x);
      if (!at) return 0;
      const next = stretches[stretches.indexOf(at) + 1];
      if (next && x - at.right > next.left - x) return next.from;
      return Math.min(at.to, Math.max(at.from, at.from + (x - at.left) / perMs));
    },
  };
}

/** Where a time is written under the line. */
export interface Tick {
  x: number;
  time: number;
}

/** Places for written times: where stretches begin, and within long ones; `room` pixels apart at least. */
export function timeTicks({ stretches, time }: TimeScale, width: number, room: number): Tick[] {
  const ticks: Tick[] = [];
  let free = 0;
  for (const { left, right, from } of stretches) {
    if (left >= free && left + room / 2 < width) {
      ticks.push({ x: left, time: from });
      free = left + room;
    }
    for (let x = Math.max(free, left + 2 * room); x < right - room && x + room / 2 < width; x += 2 * room) {
      ticks.push({ x, time: time(x) });
      free = x + room;
    }
  }
  return ticks;
}

/** Whether hours and minutes would say the same of two neighbours. */
export function needSeconds(ticks: readonly Tick[]): boolean {
  return ticks.some((tick, index) => index > 0 && Math.floor(tick.time / 60_000) === Math.floor(ticks[index - 1]!.time / 60_000));
}
