import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { compressFrame } from '../../src/codec/zstd/engine.ts';
import type { ForeignChange, SessionHandle } from '../../src/index.ts';
import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { NodeDisk } from '../../src/disk/node-disk.ts';
import { pi } from '../../src/shapes/pi.ts';
import { frames, framesOf, headerFor, lines, note, ProjectGround } from './ground.ts';

const NAME = '--home-ann-app--/s1/session.jsonl.zstd';
const header = lines(headerFor('s1'));
const line = (id: string, data?: unknown): string => lines(note(id, null, data ?? id).value);

const idsOf = (handle: SessionHandle): string[] => handle.readSync().map(({ value }) => value.id);

/** Names beside the log. */
function beside(ground: ProjectGround): string[] {
  return fs.readdirSync(path.dirname(ground.at(NAME))).filter((name) => name !== path.basename(NAME));
}

/** Writes one more note as a store does that has just opened the session; answers the ids that are stored then. */
async function goOn(ground: ProjectGround): Promise<string[]> {
  const handle = ground.store().openSync('s1', 'write');
  const records = handle.readSync();
  if (handle.rewriteRequired) handle.replaceSync([...records, note('more')], { revision: handle.revision });
  else handle.appendSync([note('more')]);
  await handle.close();
  const reader = ground.store().openSync('s1', 'read');
  expect(reader.problems).toEqual([]);
  return idsOf(reader);
}

describe('the frames of a log', () => {
  it('are the header, then one for each append', async () => {
    const ground = new ProjectGround();
    const handle = ground.store().create(headerFor('s1'));
    handle.appendSync([note('e1'), note('e2')]);
    handle.appendSync([note('e3')]);
    handle.appendSync([note('e4'), note('e5')]);
    await handle.close();
    expect(framesOf(fs.readFileSync(handle.path!))).toEqual([
      header,
      line('e1') + line('e2'),
      line('e3'),
      line('e4') + line('e5'),
    ]);
  });

  it('is the header alone where nothing follows it', async () => {
    const ground = new ProjectGround();
    const handle = ground.store().create(headerFor('s1'));
    handle.appendSync([]);
    await handle.close();
    expect(framesOf(fs.readFileSync(handle.path!))).toEqual([header]);
  });

  it('hold what is published together', async () => {
    const ground = new ProjectGround();
    const store = ground.store();
    const handle = store.create(headerFor('s1'));
    handle.appendSync([]);
    for (const id of ['e1', 'e2', 'e3']) store.publish('s1', [note(id)]);
    await vi.waitFor(() => expect(framesOf(fs.readFileSync(handle.path!))).toHaveLength(2));
    expect(framesOf(fs.readFileSync(handle.path!))[1]).toBe(line('e1') + line('e2') + line('e3'));
    await handle.close();
  });

  it('hold whole lines, of a megabyte at most together, when all is written anew', async () => {
    const ground = new ProjectGround();
    const handle = ground.store({ shapes: pi }).create(headerFor('s1'));
    const entries = Array.from({ length: 60 }, (_, i) => note(`e${String(i)}`, null, 'x'.repeat(i === 7 ? 3_000_000 : 60_000)));
    handle.appendSync(entries);
    handle.replaceSync([{ value: headerFor('s1') }, ...entries], { revision: handle.revision });
    await handle.close();
    const [first, ...rest] = framesOf(fs.readFileSync(handle.path!));
    expect(first).toBe(header);
    expect(rest.length).toBeGreaterThan(3);
    for (const content of rest) {
      expect(content.endsWith('\n')).toBe(true);
      if (content.length > 1024 * 1024) expect(content.split('\n').some(({ length }) => length > 3_000_000)).toBe(true);
    }
    expect(rest.join('') === lines(...entries.map(({ value }) => value))).toBe(true);
  });

  it('are as many as before when a write fails', async () => {
    const ground = new ProjectGround();
    let isFull = false;
    const disk = new FaultDisk(new NodeDisk(), (operation) => {
      if (!isFull || operation !== 'write') return null;
      isFull = false;
      return { error: 'ENOSPC' };
    });
    const handle = ground.store({}, disk).create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    const before = fs.readFileSync(handle.path!);
    isFull = true;
    expect(() => handle.appendSync([note('e2')])).toThrow(expect.objectContaining({ code: 'storage_io' }) as Error);
    expect(fs.readFileSync(handle.path!)).toEqual(before);
    handle.appendSync([note('e3')]);
    await handle.close();
    expect(framesOf(fs.readFileSync(handle.path!))).toEqual([header, line('e1'), line('e3')]);
  });

  it('of another program are taken over, and ours follow', async () => {
    const ground = new ProjectGround();
    const handle = ground.store().create(headerFor('s1'));
    const told: ForeignChange[] = [];
    handle.onForeign = (change) => told.push(change);
    handle.appendSync([note('e1')]);
    fs.appendFileSync(handle.path!, frames(line('f1') + line('f2')));
    handle.checkSync();
    handle.appendSync([note('e2')]);
    await handle.close();
    expect(told.map(({ kind, records }) => [kind, records.map(({ value }) => value.id)])).toEqual([['appended', ['f1', 'f2']]]);
    expect(framesOf(fs.readFileSync(handle.path!))).toEqual([header, line('e1'), line('f1') + line('f2'), line('e2')]);
  });
});

describe('a log that is not whole', () => {
  const sound = frames(header, line('e1'));
  const last = compressFrame(Buffer.from(line('e2') + line('e3', 'x'.repeat(40)) + line('e4', 'y'.repeat(40))));

  it.each<[string, Uint8Array]>([
    ['two bytes of the next frame', last.subarray(0, 2)],
    ['a frame without its last byte of all', last.subarray(0, 9)],
  ])('is gone on with behind %s', async (_, rest) => {
    const ground = new ProjectGround();
    ground.put(NAME, Buffer.concat([sound, rest]));
    const reader = ground.store().openSync('s1', 'read');
    expect(idsOf(reader)).toEqual(['s1', 'e1']);
    expect(reader.problems.map(({ code }) => code)).toEqual(['frame_torn']);
    expect(fs.readFileSync(ground.at(NAME))).toEqual(Buffer.concat([sound, rest]));
    expect(await goOn(ground)).toEqual(['s1', 'e1', 'more']);
    const [kept, ...others] = beside(ground);
    expect(others).toEqual([]);
    expect(fs.readFileSync(path.join(path.dirname(ground.at(NAME)), kept!))).toEqual(Buffer.concat([sound, rest]));
  });

  it('keeps the lines of its last frame that are complete', async () => {
    const ground = new ProjectGround();
    // One byte of the checksum is missing.
    ground.put(NAME, Buffer.concat([sound, last.subarray(0, -1)]));
    expect(idsOf(ground.store().openSync('s1', 'read'))).toEqual(['s1', 'e1', 'e2', 'e3', 'e4']);
    expect(await goOn(ground)).toEqual(['s1', 'e1', 'e2', 'e3', 'e4', 'more']);
    expect(framesOf(fs.readFileSync(ground.at(NAME)))[0]).toBe(header);
  });

  it('has all but what was in a frame that is damaged', async () => {
    const ground = new ProjectGround();
    const [before, bad, after] = [frames(header, line('e1')), frames(line('e2')), frames(line('e3'))];
    bad[bad.length - 6]! ^= 1;
    const stored = Buffer.concat([before, bad, after]);
    ground.put(NAME, stored);
    const reader = ground.store().openSync('s1', 'read');
    expect(idsOf(reader)).toEqual(['s1', 'e1', 'e3']);
    expect(reader.problems.map(({ code }) => code)).toEqual(['frame_damaged']);
    expect(await goOn(ground)).toEqual(['s1', 'e1', 'e3', 'more']);
    const [kept, ...others] = beside(ground);
    expect([kept?.startsWith('session.jsonl.zstd.before-'), others]).toEqual([true, []]);
    // The bytes as they were, not decoded ones.
    expect(fs.readFileSync(path.join(path.dirname(ground.at(NAME)), kept!))).toEqual(stored);
  });

  it('is read at every length as far as it goes, and gone on with', async () => {
    const whole = Buffer.concat([sound, last]);
    for (let length = sound.length; length <= whole.length; length++) {
      const ground = new ProjectGround();
      ground.put(NAME, whole.subarray(0, length));
      const known = idsOf(ground.store().openSync('s1', 'read'));
      expect(known.slice(0, 2)).toEqual(['s1', 'e1']);
      expect(['s1', 'e1', 'e2', 'e3', 'e4'].slice(0, known.length)).toEqual(known);
      expect(await goOn(ground)).toEqual([...known, 'more']);
    }
  });
});
