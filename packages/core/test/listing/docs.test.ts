import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { problem, PROBLEM_CODES } from '../../src/pure.ts';

it('every problem has a row in the docs, with its severity', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/formats/problems.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, code, severity]) => [code, severity]);
  expect(rows).toEqual(PROBLEM_CODES.map((code) => [code, problem(code, '').severity]));
});
