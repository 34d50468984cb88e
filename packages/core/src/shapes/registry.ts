import type { ContextRules } from '../context/types.ts';
import type { ShapeEvidence, Shapes } from './define-shapes.ts';
import { dsh } from './dsh.ts';
import { musepi } from './musepi.ts';
import { pi } from './pi.ts';

/** The only list of shapes. The first one is the default where nothing speaks for another. */
export const SHAPES: readonly Shapes[] = [musepi, pi, dsh];

export const DEFAULT_SHAPES: Shapes = musepi;

const byId = new Map<string, Shapes>(SHAPES.map((shapes) => [shapes.id, shapes]));

/** Shapes by their id; the default ones for an id that has none. */
export function shapesFor(id: ContextRules | undefined): Shapes {
  return (id === undefined ? undefined : byId.get(id)) ?? DEFAULT_SHAPES;
}

/** Who wrote this file? What the file shows outweighs the hint, the hint a mere likeness. */
export function detectShapes(evidence: ShapeEvidence, hint?: Shapes): Shapes {
  const isPossible = ({ events }: Shapes): boolean => events === (evidence.isHarness ?? events);
  const possible = SHAPES.filter(isPossible);
  const isHinted = hint !== undefined && isPossible(hint);
  let best = isHinted ? hint : possible[0]!;
  let weight = isHinted ? 1 : 0;
  for (const shapes of possible) {
    const found = shapes.weigh(evidence);
    if (found > weight) {
      best = shapes;
      weight = found;
    }
  }
  return best;
}
