import * as os from 'node:os';
import process from 'node:process';

import { diskCode, readSpanSync, type Disk } from '../disk/disk.ts';
import { NodeDisk } from '../disk/node-disk.ts';

/** A process, told from every other that has or had its number. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started: clock ticks since the machine's start (Linux), else epoch ms as the process itself knows it. */
  start: string;
  /** Which start of the machine: Linux' boot id, else `s` and its time in epoch seconds. */
  boot: string;
  /** Name of the machine, and what else process numbers count within (a container, say). */
  host: string;
}

/** gone: surely. alive: as far as the platform tells. elsewhere: on a machine that cannot be asked. */
export type ProcessState = 'alive' | 'gone' | 'elsewhere';

export interface Processes {
  readonly own: ProcessIdentity;
  state(other: ProcessIdentity): ProcessState;
}

/** Clocks are set; two readings of when the machine was started differ by less than this. Seconds. */
const BOOT_TOLERANCE = 120;
/** Where Linux says how a process stands: its state is the third field of the line, its start the 22nd. */
const STATE_FIELD = 3;
const START_FIELD = 22;

/**
 * The processes of this machine. Linux tells everything. Elsewhere (macOS, Windows) Node can ask only whether a number is
 * in use: a process that is gone, and whose number another one got since the machine was started, still looks alive there.
 */
class MachineProcesses implements Processes {
  readonly own: ProcessIdentity;
  readonly #disk: Disk = new NodeDisk();

  constructor() {
    const boot = readText(this.#disk, '/proc/sys/kernel/random/boot_id')?.trim();
    const start = this.#stat(process.pid)?.start;
    this.own = {
      pid: process.pid,
      start: start ?? String(Math.round(Date.now() - process.uptime() * 1000)),
      boot: boot ?? `s${String(Math.round(Date.now() / 1000 - os.uptime()))}`,
      host: `${os.hostname()}${this.#numberSpace()}`,
    };
  }

  state(other: ProcessIdentity): ProcessState {
    if (other.host !== this.own.host) return 'elsewhere';
    if (!sameBoot(other.boot, this.own.boot)) return 'gone';
    if (other.pid === this.own.pid) return other.start === this.own.start ? 'alive' : 'gone';
    if (!inUse(other.pid)) return 'gone';
    const stat = this.#stat(other.pid);
    if (stat === null) return 'alive';
    return stat.start === other.start && !'ZX'.includes(stat.state) ? 'alive' : 'gone';
  }

  /** Linux: state and start of a process; the name before them may hold anything, so they are counted behind its last bracket. */
  #stat(pid: number): { state: string; start: string } | null {
    const text = readText(this.#disk, `/proc/${String(pid)}/stat`);
    if (text === null) return null;
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[START_FIELD - STATE_FIELD]];
    return state === undefined || start === undefined ? null : { state, start };
  }

  /** Linux: the same process number means another process in another container. */
  #numberSpace(): string {
    try {
      return `/${String(this.#disk.statSync('/proc/self/ns/pid').ino)}`;
    } catch (error) {
      if (diskCode(error) === null) throw error;
      return '';
    }
  }
}

function sameBoot(one: string, other: string): boolean {
  if (!one.startsWith('s') || !other.startsWith('s')) return one === other;
  return Math.abs(Number(one.slice(1)) - Number(other.slice(1))) < BOOT_TOLERANCE;
}

/** Does a process have that number? One that we may not touch (EPERM) does. */
function inUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return diskCode(error) !== 'ESRCH';
  }
  return true;
}

/** Files of /proc have no size; null where there is no such file. */
function readText(disk: Disk, path: string): string | null {
  try {
    const file = disk.openSync(path, 'read');
    try {
      return Buffer.from(readSpanSync(file, 0, 4096)).toString('latin1');
    } finally {
      file.closeSync();
    }
  } catch (error) {
    if (diskCode(error) === null) throw error;
    return null;
  }
}

let machine: Processes | null = null;

/** The processes of this machine. */
export function machineProcesses(): Processes {
  return (machine ??= new MachineProcesses());
}
