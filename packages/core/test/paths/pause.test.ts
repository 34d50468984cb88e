import { describe, expect, it } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { PauseGate } from '../../src/paths/pause-gate.ts';
import { listPaused, pausePath, readPause, removePause, writePause } from '../../src/paths/pause.ts';

const JOURNAL = '/state/journal';
const NOON = Date.UTC(2026, 0, 2, 12);
const ID = '01990000-aaaa-7bbb-8ccc-0123456789ab';

/** Seed 000, the daemon's section. */
describe('the pause of a session', () => {
  it('is a file beside nothing else: it is paused while the file is there', async () => {
    const disk = new MemoryDisk();
    expect(readPause(JOURNAL, ID, disk)).toBeNull();
    expect(await listPaused(JOURNAL, disk)).toEqual(new Set());
    writePause(JOURNAL, ID, NOON, disk);
    writePause(JOURNAL, ID, NOON + 5, disk);
    expect(disk.readdirSync(JOURNAL)).toEqual([{ name: `${ID}.pause.json`, kind: 'file' }]);
    expect(readPause(JOURNAL, ID, disk)).toEqual({ sessionId: ID, pausedAt: NOON });
    expect(await listPaused(JOURNAL, disk)).toEqual(new Set([ID]));
    expect([removePause(JOURNAL, ID, disk), removePause(JOURNAL, ID, disk)]).toEqual([true, false]);
    expect(readPause(JOURNAL, ID, disk)).toBeNull();
  });

  it.each(['', 'null', '{"pausedAt":5}', '{"paused":false}', '{"pau', 'yes'])('holds whatever stands in the file: %j', (text) => {
    const disk = new MemoryDisk();
    disk.writeFile(`${JOURNAL}/s1.pause.json`, new TextEncoder().encode(text));
    expect(readPause(JOURNAL, 's1', disk)).toEqual({ sessionId: 's1', pausedAt: null });
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', '/etc/x', 'a\0', '-a', 'a.', 'ü', 'a'.repeat(300)])(
    'is refused for %j, which could lead elsewhere',
    (id) => {
      const disk = new MemoryDisk();
      const refused = expect.objectContaining({ code: 'invalid_argument' }) as Error;
      expect(() => pausePath(JOURNAL, id)).toThrow(refused);
      expect(() => readPause(JOURNAL, id, disk)).toThrow(refused);
      expect(() => writePause(JOURNAL, id, NOON, disk)).toThrow(refused);
      expect(() => removePause(JOURNAL, id, disk)).toThrow(refused);
      expect(disk.readdirSync('/')).toEqual([]);
    },
  );

  it('says what the disk refuses', async () => {
    const disk = new FaultDisk(new MemoryDisk(), () => ({ error: 'EACCES' }));
    const io = expect.objectContaining({
      code: 'storage_io',
      data: expect.objectContaining({ errno: 'EACCES' }) as unknown,
    }) as Error;
    expect(() => readPause(JOURNAL, ID, disk)).toThrow(io);
    expect(() => writePause(JOURNAL, ID, NOON, disk)).toThrow(io);
    expect(() => removePause(JOURNAL, ID, disk)).toThrow(io);
    await expect(listPaused(JOURNAL, disk)).rejects.toThrow(io);
  });
});

describe('PauseGate', () => {
  it('finds the pause of a session again after a restart, and forgets that of the process', () => {
    const disk = new MemoryDisk();
    const first = new PauseGate(JOURNAL, disk, () => NOON);
    first.pause('s1');
    first.pauseProcess();
    expect([first.isPaused('s1'), first.isPaused('s2'), first.processPaused]).toEqual([true, true, true]);
    const second = new PauseGate(JOURNAL, disk);
    expect([second.isPaused('s1'), second.isPaused('s2'), second.processPaused]).toEqual([true, false, false]);
    expect(readPause(JOURNAL, 's1', disk)?.pausedAt).toBe(NOON);
  });

  it('resuming the process leaves sessions paused that were paused by themselves', () => {
    const gate = new PauseGate(JOURNAL, new MemoryDisk());
    gate.pause('s1');
    gate.pauseProcess();
    gate.resumeProcess();
    expect([gate.isPaused('s1'), gate.isPaused('s2')]).toEqual([true, false]);
    gate.resume('s1');
    expect(gate.isPaused('s1')).toBe(false);
  });
});
