import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Disk } from '../../src/disk/disk.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { lockPath, OwnerLock } from '../../src/storage/owner-lock.ts';
import { machineProcesses, type Processes, type ProcessIdentity, type ProcessState } from '../../src/storage/process-identity.ts';
import { failsWith, fileText, namesIn, putFile } from '../../src/testing/disk-files.ts';
import { PLACES, type Place } from './fixtures.ts';

function place(make: () => Place): { disk: Disk; base: string; file: string } {
  const { disk, base, dispose } = make();
  onTestFinished(dispose);
  return { disk, base, file: `${base}/a.jsonl` };
}

/** Another process of a machine on which processes are what `state` says. */
function processes(pid: number, state: (other: ProcessIdentity) => ProcessState = () => 'alive', host = 'here'): Processes {
  return { own: { pid, start: `s${String(pid)}`, boot: 'b', host }, state };
}

/** The same files as another process sees them: nothing of this one's memory. */
const otherProcess = (disk: Disk): Disk => new FaultDisk(disk, () => null);

describe.each(PLACES)('OwnerLock %s', (_name, make) => {
  it('is had by one at a time in this process', async () => {
    const { disk, base, file } = place(make);
    const one = new OwnerLock(disk, file);
    const two = new OwnerLock(disk, `${base}/./a.jsonl`);
    one.acquire();
    one.acquire();
    expect(one.held).toBe(true);
    await failsWith('session_owned', () => two.acquire());
    two.release();
    await failsWith('session_owned', () => two.acquire());
    one.release();
    one.release();
    expect(one.held).toBe(false);
    two.acquire();
    two.release();
    expect(namesIn(disk, base)).toEqual([]);
  });

  it('is had by one at a time among processes, and says by whom', async () => {
    const { disk, base, file } = place(make);
    const one = new OwnerLock(disk, file, processes(1));
    one.acquire();
    expect(namesIn(disk, base)).toEqual(['.a.jsonl.owner']);
    const two = new OwnerLock(otherProcess(disk), file, processes(2));
    await expect(async () => two.acquire()).rejects.toMatchObject({
      code: 'session_owned',
      data: { path: file, pid: 1, host: 'here' },
    });
    one.release();
    two.acquire();
    expect(JSON.parse(fileText(disk, lockPath(file))!)).toMatchObject({ pid: 2, start: 's2', boot: 'b', host: 'here' });
    one.release();
    expect(namesIn(disk, base)).toEqual(['.a.jsonl.owner']);
  });

  it('is for nobody else to read', () => {
    const { disk, file } = place(make);
    new OwnerLock(disk, file, processes(1)).acquire();
    expect(disk.statSync(lockPath(file)).mode & 0o077).toBe(0);
  });

  it('is taken over from a process that is gone', () => {
    const { disk, base, file } = place(make);
    const left = new OwnerLock(otherProcess(disk), file, processes(1));
    left.acquire();
    const asked: ProcessIdentity[] = [];
    const two = new OwnerLock(
      disk,
      file,
      processes(2, (other) => (asked.push(other), 'gone')),
    );
    two.acquire();
    expect(asked).toMatchObject([{ pid: 1, start: 's1', boot: 'b', host: 'here' }]);
    expect(namesIn(disk, base)).toEqual(['.a.jsonl.owner']);
    left.release();
    expect(JSON.parse(fileText(disk, lockPath(file))!)).toMatchObject({ pid: 2 });
  });

  it('counts on another machine for an hour after it or the session was written', async () => {
    const { disk, file } = place(make);
    new OwnerLock(otherProcess(disk), file, processes(1, undefined, 'there')).acquire();
    const minutesAfter = (count: number, written: string): OwnerLock =>
      new OwnerLock(
        disk,
        file,
        processes(2, () => 'elsewhere'),
        () => disk.statSync(written).mtimeMs + count * 60_000,
      );
    await failsWith('session_owned', () => minutesAfter(59, lockPath(file)).acquire());
    // A file's time moves in steps of some milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 12));
    putFile(disk, file, 'x');
    const hour = disk.statSync(file).mtimeMs - disk.statSync(lockPath(file)).mtimeMs;
    expect(hour).toBeGreaterThan(0);
    const between = new OwnerLock(
      disk,
      file,
      processes(2, () => 'elsewhere'),
      () => disk.statSync(lockPath(file)).mtimeMs + 60 * 60_000 + hour / 2,
    );
    await failsWith('session_owned', () => between.acquire());
    const late = minutesAfter(61, file);
    late.acquire();
    expect(late.held).toBe(true);
  });

  it.each(['', '{"pid":1', 'null', '{"pid":-1,"start":"a","boot":"b","host":"c","token":"d"}'])(
    'waits some seconds for a lock that says nothing: %j',
    async (text) => {
      const { disk, file } = place(make);
      putFile(disk, lockPath(file), text);
      const after = (ms: number): OwnerLock =>
        new OwnerLock(disk, file, processes(1), () => disk.statSync(lockPath(file)).mtimeMs + ms);
      const early = after(9000);
      await failsWith('session_owned', () => early.acquire());
      after(11_000).acquire();
    },
  );

  it('never removes a lock that came in the place of the one that it judged', async () => {
    const { disk, base, file } = place(make);
    new OwnerLock(otherProcess(disk), file, processes(1)).acquire();
    // While two looks at what the first has left, a third one takes it over.
    const third = new OwnerLock(
      otherProcess(disk),
      file,
      processes(3, () => 'gone'),
    );
    const two = new OwnerLock(
      disk,
      file,
      processes(2, ({ pid }) => {
        if (pid !== 1) return 'alive';
        third.acquire();
        return 'gone';
      }),
    );
    await expect(async () => two.acquire()).rejects.toMatchObject({ code: 'session_owned', data: { pid: 3 } });
    expect(JSON.parse(fileText(disk, lockPath(file))!)).toMatchObject({ pid: 3 });
    expect(namesIn(disk, base)).toEqual(['.a.jsonl.owner']);
  });

  it.each(['EACCES', 'EROFS', 'ENOSPC'])(
    'is one of this process alone where the disk says %s, until it can be had',
    async (code) => {
      const { disk, base, file } = place(make);
      let broken = true;
      const faulty = new FaultDisk(disk, (operation) => (broken && operation === 'open' ? { error: code } : null));
      const one = new OwnerLock(faulty, file, processes(1));
      await failsWith(code, () => one.acquire());
      expect(one.held).toBe(false);
      expect(namesIn(disk, base)).toEqual([]);
      const other = new OwnerLock(faulty, file, processes(1));
      await failsWith('session_owned', () => other.acquire());
      broken = false;
      one.acquire();
      expect(one.held).toBe(true);
      one.release();
      other.acquire();
    },
  );

  it('leaves nothing where writing it fails', async () => {
    const { disk, base, file } = place(make);
    const full = new FaultDisk(disk, (operation) => (operation === 'write' ? { error: 'ENOSPC' } : null));
    await failsWith('ENOSPC', () => new OwnerLock(full, file, processes(1)).acquire());
    expect(namesIn(disk, base)).toEqual([]);
  });

  it('is given up on a bad disk, too, and can be had again', async () => {
    const { disk, file } = place(make);
    let broken = false;
    const faulty = new FaultDisk(disk, (operation) => (broken && operation !== 'realpath' ? { error: 'EIO' } : null));
    const one = new OwnerLock(faulty, file, processes(1));
    one.acquire();
    broken = true;
    one.release();
    expect(one.held).toBe(false);
    expect(fileText(disk, lockPath(file))).not.toBeNull();
    const two = new OwnerLock(faulty, file, processes(1));
    await failsWith('EIO', () => two.acquire());
    broken = false;
    two.acquire();
    expect(two.held).toBe(true);
    await failsWith('session_owned', () => new OwnerLock(otherProcess(disk), file, processes(2)).acquire());
    two.release();
    expect(fileText(disk, lockPath(file))).toBeNull();
  });

  it('works on a disk without links', async () => {
    const { disk, base, file } = place(make);
    const without = (): Disk => new FaultDisk(disk, (operation) => (operation === 'link' ? { error: 'EPERM' } : null));
    const one = new OwnerLock(without(), file, processes(1));
    one.acquire();
    await failsWith('session_owned', () => new OwnerLock(without(), file, processes(2)).acquire());
    one.release();
    expect(namesIn(disk, base)).toEqual([]);
  });

  it.each([
    ['close', 'EIO'],
    ['write', 'ENOSPC'],
  ])('leaves nothing on a disk without links whose %s fails', async (failing, code) => {
    const { disk, base, file } = place(make);
    let broken = true;
    const lock = lockPath(file);
    const faulty = new FaultDisk(disk, (operation, at) => {
      if (operation === 'link') return { error: 'EPERM' };
      return broken && operation === failing && at === lock ? { error: code } : null;
    });
    const one = new OwnerLock(faulty, file, processes(1));
    await failsWith(code, () => one.acquire());
    broken = false;
    one.release();
    expect(namesIn(disk, base)).toEqual([]);
    new OwnerLock(otherProcess(disk), file, processes(2)).acquire();
  });

  it('that lies there although the disk said otherwise is given up with it', async () => {
    const { disk, base, file } = place(make);
    let broken = true;
    const lock = lockPath(file);
    const faulty = new FaultDisk(disk, (operation, at) => {
      if (operation === 'link') return { error: 'EPERM' };
      return broken && (operation === 'close' || operation === 'unlink') && at === lock ? { error: 'EIO' } : null;
    });
    const one = new OwnerLock(faulty, file, processes(1));
    await failsWith('EIO', () => one.acquire());
    broken = false;
    one.release();
    expect(namesIn(disk, base)).toEqual([]);
  });
});

describe('the processes of this machine', () => {
  const { own } = machineProcesses();
  const state = (fields: Partial<ProcessIdentity>): ProcessState => machineProcesses().state({ ...own, ...fields });

  it('know this one, and none that had its number before', () => {
    expect(own.pid).toBe(process.pid);
    expect(state({})).toBe('alive');
    expect(state({ start: `${own.start}1` })).toBe('gone');
    expect(state({ boot: 'another' })).toBe('gone');
    expect(state({ host: 'another' })).toBe('elsewhere');
  });

  it('know a child until it is killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid!;
    if (process.platform === 'linux') expect(state({ pid })).toBe('gone');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(state({ pid })).toBe('gone');
  });
});
