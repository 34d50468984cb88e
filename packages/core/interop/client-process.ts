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
  constructor({ command: [program, ...args] }: Pick<InstalledClient, 'command'>, home: string) {
    this.#child = spawn(program, args, {
      env: { ...process.env, HOME: home, USERPROFILE: home, PI_CODING_AGENT_DIR: `${home}/agent`, PI_OFFLINE: '1' },
      cwd: home,
    });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString()).slice(-2000)));
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The results in the order of the cases. Throws when the client ends. */
  async ask(path: string, cases: readonly Case[]): Promise<Result[]> {
    const answer = await this.request<{ results: Result[] }>({ path, cases });
    return 'error' in answer ? cases.map(() => answer) : answer.results;
  }

  /** What the client's driver answers to a request. Throws when the client ends. */
  async request<T extends object>(body: object): Promise<T | { error: string }> {
    this.#child.stdin.write(`${oneLine(body)}\n`);
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done === true) throw new Error(`The client ended before it answered: ${this.#stderr}`);
      if (value.startsWith('@@')) return JSON.parse(value.slice(2)) as T | { error: string };
    }
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }
}

/** JSON on one line for those that also end lines where Unicode says so. */
function oneLine(body: object): string {
  return JSON.stringify(body).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
