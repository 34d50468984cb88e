import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SERVER = path.resolve(import.meta.dirname, '../../apps/cli/dist/main.js');

/** The `stemma` command, started with a home folder of its own. */
export class Command {
  /** Empty at first; deleted by `end`. */
  readonly home = mkdtempSync(path.join(tmpdir(), 'stemma-e2e-home-'));
  #child: ChildProcess | undefined;
  #said = '';
  #complained = '';

  start(...options: string[]): this {
    const { PI_CODING_AGENT_DIR: _mine, ...env } = process.env;
    this.#child = spawn(process.execPath, [SERVER, ...options], { env: { ...env, HOME: this.home }, cwd: this.home });
    this.#child.stdout?.on('data', (text) => (this.#said += text));
    this.#child.stderr?.on('data', (text) => (this.#complained += text));
    return this;
  }

  /** Waits for the line that it prints when it listens. */
  async address(): Promise<string> {
    const { stdout } = this.#running();
    for (;;) {
      const found = /^Stemma is at (http:\S+)\n$/.exec(this.#said)?.[1];
      if (found !== undefined) return found;
      await new Promise((resolve, reject) => {
        stdout?.once('data', resolve);
        this.#running().once('close', () => reject(new Error(`stemma ended: ${this.#complained}`)));
      });
    }
  }

  /** Waits until it has ended by itself. */
  ended(): Promise<{ code: number | null; said: string; complained: string }> {
    const child = this.#running();
    const answer = (code: number | null) => ({ code, said: this.#said, complained: this.#complained });
    return new Promise((resolve) => child.once('close', (code) => resolve(answer(code))));
  }

  signal(name: NodeJS.Signals): void {
    this.#running().kill(name);
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await closed;
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  #running(): ChildProcess {
    if (this.#child === undefined) throw new Error('not started');
    return this.#child;
  }
}
