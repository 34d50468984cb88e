import type { Shape } from '@stemma/api/schemas';

export const GLYPH_WIDTH = 96;
export const GLYPH_HEIGHT = 24;

const LEFT = 2;
/** Room for the leaf's dot. */
const RIGHT = 4;
const MIDDLE = GLYPH_HEIGHT / 2;
/** Vertical distance of two lanes, and the most that all lanes of a side may take. */
const LANE = 4;
const REACH = MIDDLE - 2;
/** Length of the curve with which a branch leaves, and the shortest branch that can be seen. */
const CURVE = 7;
const SHORTEST = 4;

export interface GlyphGeometry {
  /** SVG paths in a box of 96 × 24. */
  readonly trunk: string;
  readonly branches: readonly string[];
  /** x of the compactions on the trunk. */
  readonly ticks: readonly number[];
  readonly leaf: { readonly x: number; readonly y: number };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** x of a place between 0 and 1 on the line. */
function across(place: number): number {
  const inside = Math.min(1, Math.max(0, place));
  return round(LEFT + inside * (GLYPH_WIDTH - LEFT - RIGHT));
}

/**
 * The drawing of a session's shape: the active path as a straight trunk, the other branches above and below it,
 * each leaving the lane that it comes from in a smooth curve.
 */
export function glyphGeometry(shape: Shape): GlyphGeometry {
  const depth = shape.lanes.reduce((most, lane) => Math.max(most, Math.abs(lane.slot)), 1);
  const gap = Math.min(LANE, REACH / depth);
  const y = (slot: number): number => round(MIDDLE - slot * gap);
  const end = across(shape.lanes[0]?.to ?? 1);
  const branches: string[] = [];
  for (const lane of shape.lanes.slice(1)) {
    const from = across(lane.from);
    const to = Math.min(GLYPH_WIDTH - 1, Math.max(across(lane.to), from + SHORTEST));
    const parent = shape.lanes[lane.parent];
    branches.push(parent === undefined ? `M${from} ${y(lane.slot)}H${to}` : departure(from, to, y(parent.slot), y(lane.slot)));
  }
  return {
    trunk: `M${across(shape.lanes[0]?.from ?? 0)} ${MIDDLE}H${end}`,
    branches,
    ticks: shape.ticks.map(across),
    leaf: { x: end, y: MIDDLE },
  };
}

function departure(from: number, to: number, start: number, end: number): string {
  const bend = round(Math.min(CURVE, to - from));
  const half = round(from + bend / 2);
  return `M${from} ${start}C${half} ${start} ${half} ${end} ${round(from + bend)} ${end}H${to}`;
}
