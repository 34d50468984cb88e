import { summarise } from '@stemma/core';

import type { OpenSession } from '../sessions/open-session.ts';
import type { Counted } from './summary-row.ts';

/** What a session that is decoded to its end tells the library. */
export function countsOf({ reader }: OpenSession): Counted {
  return {
    summary: summarise(reader.outline, reader.header, reader.shapes),
    shapes: reader.shapes,
    problemCount: reader.problemsTotal,
    isSession: reader.header !== null || reader.outline.rowCount > 0,
  };
}
