import type { SessionProblem } from '@stemma/api/schemas';

export interface ProblemGroup {
  code: SessionProblem['code'];
  severity: SessionProblem['severity'];
  /** In the order of the file. */
  problems: readonly SessionProblem[];
}

const WEIGHT = { error: 0, warning: 1, info: 2 } as const satisfies Record<SessionProblem['severity'], number>;

const placeOf = ({ byteOffset, line }: SessionProblem): number => byteOffset ?? line ?? -1;

/** Problems of one kind together: errors first, then in the order in which the kinds begin in the file. */
export function groupProblems(problems: readonly SessionProblem[]): ProblemGroup[] {
  const byKind = new Map<string, SessionProblem[]>();
  for (const problem of problems) {
    const kind = `${problem.severity} ${problem.code}`;
    const group = byKind.get(kind);
    if (group) group.push(problem);
    else byKind.set(kind, [problem]);
  }
  const groups = [...byKind.values()].map((list) => list.toSorted((a, b) => placeOf(a) - placeOf(b)));
  return groups
    .map((list) => ({ code: list[0]!.code, severity: list[0]!.severity, problems: list }))
    .toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || placeOf(a.problems[0]!) - placeOf(b.problems[0]!));
}
