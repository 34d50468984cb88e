import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { InstalledClient } from './clients.ts';

export interface Case {
  /** Absent: the file's own leaf. */
  leaf?: string | null;
  options?: { transcript?: boolean; collapseCompactedHistory?: boolean; keepDanglingToolCalls?: boolean };
}

export type Result = { context: Record<string, unknown>; error?: undefined } | { context?: undefined; error: string };

/** One client that answers many requests. */
export class ClientProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  #stderr = '';

  /** @param home an empty folder that the client takes for its home, so that it neither reads nor writes the real one. */
  constructor({ command: [program, ...args] }: InstalledClient, home: string) {
    this.#child = spawn(program, args, {
      env: { ...process.env, HOME: home, USERPROFILE: home, PI_CODING_AGENT_DIR: `${home}/agent`, PI_OFFLINE: '1' },
      cwd: home,
    });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString()).slice(-2000)));
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The results in the order of the cases. Throws when the client ends. */
  async ask(path: string, cases: readonly Case[]): Promise<Result[]> {
    this.#child.stdin.write(`${JSON.stringify({ path, cases })}\n`);
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done === true) throw new Error(`The client ended before it answered for ${path}: ${this.#stderr}`);
      if (!value.startsWith('@@')) continue;
      const answer = JSON.parse(value.slice(2)) as { results: Result[] } | { error: string };
      const { error } = answer as { error?: string };
      return error === undefined ? (answer as { results: Result[] }).results : cases.map(() => ({ error }));
    }
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }
}
