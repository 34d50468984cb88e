// @vitest-environment node
import type { SessionProblem } from '@stemma/api/schemas';
import { describe, expect, it } from 'vitest';

import { groupProblems } from '../src/lib/session/problem-groups.ts';

const problem = (code: string, severity: SessionProblem['severity'], byteOffset?: number): SessionProblem =>
  ({ code, severity, message: code, ...(byteOffset !== undefined && { byteOffset }), near: null }) as SessionProblem;

describe('the problems of a session', () => {
  it('stand together by kind, errors first, each kind in the order of the file', () => {
    const groups = groupProblems([
      problem('orphan', 'warning', 50),
      problem('bad_json', 'error', 900),
      problem('orphan', 'warning', 20),
      problem('duplicate_id', 'warning', 10),
      problem('bad_json', 'error', 100),
      problem('torn_tail', 'info'),
    ]);
    expect(groups.map(({ code, problems }) => [code, problems.map(({ byteOffset }) => byteOffset)])).toEqual([
      ['bad_json', [100, 900]],
      ['duplicate_id', [10]],
      ['orphan', [20, 50]],
      ['torn_tail', [undefined]],
    ]);
  });

  it('of the same kind but another weight are two groups', () => {
    expect(groupProblems([problem('orphan', 'info', 1), problem('orphan', 'error', 2)])).toHaveLength(2);
  });
});
