import * as fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ForeignChange, LogRecord, SessionHandle } from '../../src/store/session-store.ts';
import { idsOf, note } from '../../src/testing/store-fixture.ts';
import { FileGround, small } from './file-ground.ts';

let ground: FileGround;
beforeEach(() => void (ground = new FileGround()));
afterEach(() => ground.dispose());

const line = (id: string, text = ''): string => `${JSON.stringify(note(id, null, text).value)}\n`;
const ids = ['session-1', 'e1', 'e2', 'e3'];
const isConflict = (error: unknown): boolean => (error as { code?: string }).code === 'session_conflict';

/** The least that an owner of a session does: it adopts what others wrote, and brings back what they took away. */
class Owner {
  readonly handle: SessionHandle;
  readonly told: ForeignChange[] = [];
  #records: LogRecord[];

  constructor(on: FileGround) {
    this.handle = on.store().openSync({ path: on.file }, 'write');
    this.handle.onForeign = (change) => this.#adopt(change);
    this.#records = this.handle.readSync().slice(1);
  }

  /** Kinds of what was told. */
  get kinds(): string[] {
    return this.told.map(({ kind }) => kind);
  }

  append(...added: LogRecord[]): void {
    this.#retried(() => {
      if (this.handle.rewriteRequired) {
        this.handle.replaceSync([{ value: this.handle.header }, ...this.#records, ...added], { revision: this.handle.revision });
      } else this.handle.appendSync(added);
    });
    this.#records.push(...added);
  }

  /** Stores all anew. */
  rewrite(): void {
    this.#retried(() =>
      this.handle.replaceSync([{ value: this.handle.header }, ...this.#records], { revision: this.handle.revision }),
    );
  }

  get all(): LogRecord[] {
    return [{ value: this.handle.header }, ...this.#records];
  }

  #retried(work: () => void): void {
    for (let left = 5; ; left--) {
      try {
        work();
        return;
      } catch (error) {
        if (!isConflict(error) || left === 0) throw error;
      }
    }
  }

  #adopt(change: ForeignChange): void {
    this.told.push(change);
    if (change.kind === 'appended') {
      this.#records.push(...change.records);
      return;
    }
    const there = new Set(change.records.map(({ value }) => value.id));
    const lost = this.#records.filter(({ value }) => !there.has(value.id));
    this.#records = [...change.records, ...lost];
    if (lost.length > 0 && !this.handle.rewriteRequired) this.handle.appendSync(lost.map(({ value }) => ({ value })));
  }
}

describe('a program that appends', () => {
  it('is followed: its records are told, and ours come behind them', async () => {
    const owner = new Owner(ground.put(small()));
    ground.append(line('f1') + line('f2'));
    owner.append(note('o1'));
    expect(ground.ids()).toEqual([...ids, 'f1', 'f2', 'o1']);
    expect(owner.kinds).toEqual(['appended']);
    expect(idsOf(owner.told[0]!.records)).toEqual(['f1', 'f2']);
    expect(owner.told[0]!.problem).toMatchObject({ code: 'changed_while_reading', path: ground.file });
    owner.rewrite();
    expect(ground.ids()).toEqual([...ids, 'f1', 'f2', 'o1']);
    await owner.handle.close();
    expect(ground.text()).toContain(line('f1'));
  });

  it('may be in the middle of a line: ours begins on one of its own', async () => {
    const owner = new Owner(ground.put(small()));
    ground.append(line('f1') + line('f2').slice(0, 30));
    await pause();
    owner.append(note('o1'));
    ground.append(line('f2').slice(30) + line('f3'));
    await pause();
    owner.append(note('o2'));
    await owner.handle.close();
    const found = ground
      .text()
      .split('\n')
      .flatMap((text) => (text.includes('"id":"o') || text.includes('"id":"f3') ? [JSON.parse(text).id] : []));
    expect(found).toEqual(['o1', 'f3', 'o2']);
    expect(idsOf(ground.store().openSync({ path: ground.file }, 'read').readSync())).toEqual([...ids, 'f1', 'o1', 'f3', 'o2']);
  });

  it('may finish its line before we write', async () => {
    const owner = new Owner(ground.put(small()));
    ground.append(line('f1').slice(0, 30));
    owner.handle.checkSync();
    expect(owner.told).toEqual([]);
    ground.append(line('f1').slice(30));
    owner.append(note('o1'));
    owner.handle.checkSync();
    expect(ground.ids()).toEqual([...ids, 'f1', 'o1']);
    await owner.handle.close();
    expect(ground.ids()).toEqual([...ids, 'f1', 'o1']);
  });

  it('may be faster than we look', async () => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'));
    ground.append(line('f1'));
    owner.append(note('o2', null, 'x'.repeat(500)));
    owner.handle.checkSync();
    expect(owner.kinds).toEqual(['replaced']);
    owner.append(note('o3'));
    owner.rewrite();
    expect(ground.ids()).toEqual([...ids, 'o1', 'f1', 'o2', 'o3']);
    await owner.handle.close();
  });

  it('is not lost while the session is replaced', async () => {
    const owner = new Owner(ground.put(small()));
    const big = Array.from({ length: 60 }, (_, i) => note(`b${String(i)}`, null, 'x'.repeat(60_000)));
    owner.append(...big);
    const done = owner.handle.replace(owner.all, { revision: owner.handle.revision });
    ground.append(line('f1'));
    await done;
    expect(ground.ids()).toEqual([...ids, ...big.map(({ value }) => value.id), 'f1']);
    expect(owner.kinds).toEqual(['appended']);
    await owner.handle.close();
  });

  it('may write what is no record: that does not stop us', async () => {
    const owner = new Owner(ground.put(small()));
    ground.append('what is this\n');
    owner.append(note('o1'));
    ground.append('{"no":"type"}\n');
    await pause();
    owner.append(note('o2'));
    await owner.handle.close();
    expect(idsOf(ground.store().openSync({ path: ground.file }, 'read').readSync())).toEqual([...ids, 'o1', 'o2']);
    expect(ground.text()).toContain('what is this');
  });
});

/** Writes a new file and gives it the name. */
function rename(text: string): void {
  fs.writeFileSync(`${ground.file}.new`, text);
  fs.renameSync(`${ground.file}.new`, ground.file);
}

describe('a program that writes all anew', () => {
  const REWRITERS = [
    { title: 'by rename', rewrite: rename },
    { title: 'in place', rewrite: (text: string) => fs.writeFileSync(ground.file, text) },
  ];

  it.each(REWRITERS)('$title, with less: what it took away comes back', async ({ rewrite }) => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'), note('o2'));
    const [header, e1, , e3] = small().lines() as [string, string, string, string];
    rewrite(`${header}\n${e1}\n${e3}\n${line('f1')}`);
    await pause();
    owner.append(note('o3'));
    expect(owner.kinds).toEqual(['replaced']);
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e3', 'f1', 'e2', 'o1', 'o2', 'o3']);
    owner.rewrite();
    await owner.handle.close();
    expect(ground.ids()).toEqual(['session-1', 'e1', 'e3', 'f1', 'e2', 'o1', 'o2', 'o3']);
  });

  it.each(REWRITERS)('$title, with more: what it added is told', async ({ rewrite }) => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'));
    rewrite(ground.text().replace('one', 'another first text') + line('f1'));
    owner.handle.checkSync();
    expect(owner.kinds).toEqual(['replaced']);
    expect(idsOf(owner.told[0]!.records)).toEqual(['e1', 'e2', 'e3', 'o1', 'f1']);
    owner.append(note('o2'));
    expect(ground.ids()).toEqual([...ids, 'o1', 'f1', 'o2']);
    await owner.handle.close();
  });

  it.each(REWRITERS)('$title, at the same length: it is noticed', async ({ rewrite }) => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'));
    owner.handle.checkSync();
    rewrite(ground.text().replace('one', 'ONE'));
    owner.handle.checkSync();
    expect(owner.kinds).toEqual(['replaced']);
    expect(JSON.stringify(owner.told[0]!.records[0]!.value)).toContain('ONE');
    await owner.handle.close();
  });

  it.each(REWRITERS)('$title, and leaves nothing: all of ours is written again (oh-my-pi complaint 39)', async ({ rewrite }) => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'));
    rewrite('');
    owner.handle.checkSync();
    expect(owner.handle.rewriteRequired).toBe(true);
    owner.append(note('o2'));
    expect(ground.ids()).toEqual([...ids, 'o1', 'o2']);
    await owner.handle.close();
  });

  it.each(REWRITERS)('$title, and leaves something else: that is kept, and ours is written again', async ({ rewrite }) => {
    const owner = new Owner(ground.put(small()));
    rewrite('something else');
    owner.handle.checkSync();
    owner.append(note('o1'));
    expect(ground.ids()).toEqual([...ids, 'o1']);
    expect(ground.kept('.damaged-')).toBe('something else');
    await owner.handle.close();
  });

  it('in place between two looks, so that records lie elsewhere: nothing is copied wrongly', async () => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1', null, 'a'.repeat(100)), note('o2', null, 'b'.repeat(100)), note('o3', null, 'c'.repeat(400)));
    const text = ground.text().replace('one', 'longer').replace('aaa', '');
    expect(text.length).toBe(ground.text().length);
    fs.writeFileSync(ground.file, text);
    owner.rewrite();
    await owner.handle.close();
    expect(ground.ids()).toEqual([...ids, 'o1', 'o2', 'o3']);
    expect(owner.kinds).toEqual(['replaced']);
  });

  it('while we do so, too: we try again with what it wrote', async () => {
    const owner = new Owner(ground.put(small()));
    const big = Array.from({ length: 60 }, (_, i) => note(`b${String(i)}`, null, 'x'.repeat(60_000)));
    owner.append(...big);
    const done = owner.handle.replace(owner.all, { revision: owner.handle.revision });
    rename(`${small().text()}${line('f1')}`);
    await expect(done).rejects.toMatchObject({ code: 'session_conflict' });
    owner.append(note('o1'));
    expect(new Set(ground.ids())).toEqual(new Set([...ids, 'f1', ...big.map(({ value }) => value.id), 'o1']));
    expect(ground.beside().filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await owner.handle.close();
  });
});

describe('a session file that is removed', () => {
  it('while it is open is written again, whole (oh-my-pi complaint 39)', async () => {
    const owner = new Owner(ground.put(small()));
    owner.append(note('o1'));
    fs.rmSync(ground.file);
    await pause();
    owner.append(note('o2'));
    expect(ground.ids()).toEqual([...ids, 'o1', 'o2']);
    await owner.handle.close();
  });

  it('with its folder is written again, too', async () => {
    const owner = new Owner(ground.put(small()));
    fs.rmSync(ground.folder, { recursive: true });
    owner.handle.checkSync();
    owner.append(note('o1'));
    expect(ground.ids()).toEqual([...ids, 'o1']);
    await owner.handle.close();
  });

  it('and not written to any more stays removed', async () => {
    const owner = new Owner(ground.put(small()));
    fs.rmSync(ground.file);
    await owner.handle.close();
    expect(fs.existsSync(ground.file)).toBe(false);
  });

  it('while it is replaced is there again', async () => {
    const owner = new Owner(ground.put(small()));
    const big = Array.from({ length: 60 }, (_, i) => note(`b${String(i)}`, null, 'x'.repeat(60_000)));
    owner.append(...big);
    const done = owner.handle.replace(owner.all, { revision: owner.handle.revision });
    fs.rmSync(ground.file);
    await done;
    expect(ground.ids()).toEqual([...ids, ...big.map(({ value }) => value.id)]);
    await owner.handle.close();
  });

  it('and comes back as it was is gone on with', async () => {
    const owner = new Owner(ground.put(small()));
    fs.renameSync(ground.file, `${ground.file}.away`);
    owner.handle.checkSync();
    expect(owner.handle.rewriteRequired).toBe(true);
    fs.renameSync(`${ground.file}.away`, ground.file);
    owner.append(note('o1'));
    expect(ground.ids()).toEqual([...ids, 'o1']);
    await owner.handle.close();
  });
});

/** Longer than a look at the file is good for. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
