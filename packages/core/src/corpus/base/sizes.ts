import type { Random } from './random.ts';

/** Log-normal sizes that add up to the asked bytes; none below 4 KB unless the average is. */
export function sessionSizes(random: Random, sessions: number, bytes: number): number[] {
  const raw = Array.from({ length: sessions }, () => random.logNormal(1, 1.1));
  const sum = raw.reduce((a, b) => a + b, 0);
  const least = Math.min(4000, bytes / sessions);
  return raw.map((size) => Math.round(Math.max(least, (size / sum) * bytes)));
}
