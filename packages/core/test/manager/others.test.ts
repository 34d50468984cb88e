import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { SessionEntry } from '../../src/entries/entry.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import type { Problem } from '../../src/problems.ts';
import { BucketSessionStore } from '../../src/store/bucket-store.ts';
import { MemorySessionStore } from '../../src/store/memory-store.ts';
import { assistant, user, World } from './world.ts';

afterEach(() => vi.unstubAllEnvs());

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (id: string, parentId: string | null, content = 'foreign'): string =>
  `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-02-01T00:00:00.000Z', message: { role: 'user', content } })}\n`;

/** Another program at the same file. */
class Other {
  readonly #world: World;
  readonly #file: string;
  #count = 0;

  constructor(world: World, file: string) {
    this.#world = world;
    this.#file = file;
  }

  append(text: string): void {
    const open = this.#world.inner.openSync(this.#file, 'append');
    open.writeSync(encode(text), 0, encode(text).length, null);
    open.closeSync();
  }

  /** Another file in its place. */
  rewrite(change: (lines: string[]) => string[]): void {
    const lines = this.#world.text(this.#file)!.split(/(?<=\n)/);
    const temp = `${this.#file}.other`;
    this.#world.put(temp, change(lines).join(''));
    this.#world.inner.renameSync(temp, this.#file);
  }

  nextId(): string {
    return `other${String(this.#count++)}`;
  }
}

let world: World;
let manager: SessionManager;
let other: Other;
const told: Problem[] = [];

const ids = (): string[] => manager.getEntries().map(({ id }) => id);
const storedIds = (): unknown[] =>
  world
    .records(manager.getSessionFile()!)
    .slice(1)
    .map(({ id }) => id);

beforeEach(() => {
  // Every look at the file is a new one.
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 100));
  told.length = 0;
  begin();
  return () => vi.restoreAllMocks();
});

function begin(): void {
  world = new World('musepi');
  Object.assign(world.options, { onProblem: (problem: Problem) => told.push(problem) });
  manager = world.create();
  manager.appendMessage(user('q'));
  manager.appendMessage(assistant('a'));
  other = new Other(world, manager.getSessionFile()!);
}

describe('what another program writes into an open session', () => {
  it('becomes a side branch when it was appended: the leaf stays, and the caller is told', () => {
    const [q, a] = ids();
    other.append(line('x1', a!) + line('x2', 'x1'));
    const mine = manager.appendMessage(user('mine'));
    expect(ids()).toEqual([q, a, 'x1', 'x2', mine]);
    expect(manager.getEntry(mine)?.parentId).toBe(a);
    expect(manager.getLeafId()).toBe(mine);
    expect(storedIds()).toEqual(ids());
    expect(told.map(({ code }) => code)).toEqual(['changed_while_reading']);
    expect(manager.problems).toEqual(told);
  });

  it('may be answered with an append by whoever is told: every entry is stored once', async () => {
    const [q, a] = ids();
    const noted: string[] = [];
    Object.assign(world.options, { onProblem: () => noted.push(manager.appendCustomEntry('noted')) });
    const file = manager.getSessionFile()!;
    const { options } = world;
    await manager.close();
    manager = SessionManager.open(file, undefined, undefined, options);
    other.append(line('x1', a!));
    const mine = manager.appendMessage(user('mine'));
    expect(noted).toHaveLength(1);
    expect(ids()).toEqual([q, a, 'x1', mine, noted[0]]);
    expect(storedIds()).toEqual(ids());
    expect(manager.getEntry(noted[0]!)?.parentId).toBe(mine);
  });

  it('does not undo a write when whoever is told of it fails', async () => {
    const logged: string[] = [];
    const logger = { warn: () => undefined, error: (message: string) => void logged.push(message) };
    const onProblem = (): never => {
      throw new Error('not now');
    };
    const file = manager.getSessionFile()!;
    await manager.close();
    manager = SessionManager.open(file, undefined, undefined, { ...world.options, logger, onProblem });
    other.append(line('x1', null));
    const mine = manager.appendMessage(user('mine'));
    expect(storedIds()).toEqual(ids());
    expect(ids().at(-1)).toBe(mine);
    expect(logged).toHaveLength(1);
  });

  it('is seen by flush, too', async () => {
    other.append(line('x1', null));
    await manager.flush();
    expect(ids()).toContain('x1');
    expect(manager.getLeafId()).not.toBe('x1');
  });

  it('does not fuse with ours when its last line is not finished', () => {
    other.append('{"type":"message","id":"x1","par');
    const mine = manager.appendMessage(user('mine'));
    const texts = world.text(manager.getSessionFile()!)!.split('\n');
    expect(texts.filter((text) => text.includes(mine))).toHaveLength(1);
    expect(() => JSON.parse(texts.find((text) => text.includes(mine))!) as unknown).not.toThrow();
    expect(told.map(({ code }) => code)).toEqual(['changed_while_reading']);
    manager.appendMessage(user('more'));
    expect(told).toHaveLength(1);
  });

  it('keeps ours when it put another file in place that lacks them', () => {
    const [q, a] = ids();
    const lost = manager.appendMessage(user('lost?'));
    other.rewrite((lines) => [...lines.slice(0, -1), line('x1', a!)]);
    const mine = manager.appendMessage(user('mine'));
    expect(ids()).toEqual([q, a, 'x1', lost, mine]);
    expect(storedIds()).toEqual(ids());
    expect(manager.getEntry(mine)?.parentId).toBe(lost);
    expect(told).toHaveLength(1);
  });

  it('counts as it is where it changed entries of ours', () => {
    const [, a] = ids();
    other.rewrite((lines) => lines.map((text) => text.replace('"text":"a"', '"text":"pruned"')));
    manager.appendMessage(user('mine'));
    expect(JSON.stringify(manager.getEntry(a!))).toContain('pruned');
  });

  it('is no reason to lose anything when it removed the file', () => {
    world.inner.unlinkSync(manager.getSessionFile()!);
    manager.appendMessage(user('mine'));
    expect(storedIds()).toEqual(ids());
    expect(world.records(manager.getSessionFile()!)[0]).toMatchObject({ type: 'session' });
    expect(told.map(({ code }) => code)).toEqual(['changed_while_reading']);
  });

  it('keeps its own name when it has an id of ours', async () => {
    const [q, a] = ids();
    other.append(line(a!, q!, 'a twin'));
    const mine = manager.appendMessage(user('mine'));
    expect(ids()).toEqual([q, a, `${a!}~2`, mine]);
    await manager.close();
    const again = world.open(manager.getSessionFile()!);
    expect(again.getEntries().map(({ id, parentId }) => [id, parentId])).toEqual([
      [q, null],
      [a, q],
      [`${a!}~2`, q],
      [mine, a],
    ]);
  });

  it('renames the session when it was a rename', () => {
    const [, a] = ids();
    const change = {
      type: 'title_change',
      id: 'x1',
      parentId: a,
      timestamp: '2026-02-01T00:00:00.000Z',
      title: 'Theirs',
      source: 'user',
    };
    other.append(`${JSON.stringify(change)}\n`);
    manager.appendMessage(user('mine'));
    expect(manager.getSessionName()).toBe('Theirs');
  });

  it('survives rewrites of ours, whatever it does and when', async () => {
    type Step = (known: { foreign: Set<string>; ours: Set<string> }) => unknown;
    const steps = fc.constantFrom<Step>(
      ({ ours }) => ours.add(manager.appendMessage(user('mine'))),
      ({ ours }) => ours.add(manager.appendMessage(assistant('mine'))),
      () => manager.rewriteEntries(),
      () => void manager.rewriteEntries(),
      () => manager.flush(),
      async () => void (await manager.setSessionName('name', 'user')),
      ({ foreign }) => {
        const id = other.nextId();
        other.append(line(id, manager.getEntries()[0]!.id));
        foreign.add(id);
      },
      ({ foreign }) => {
        const id = other.nextId();
        other.rewrite((lines) => [...lines, line(id, null)]);
        foreign.add(id);
      },
      // It had read the file before the last of our entries was written.
      ({ foreign }) => {
        const id = other.nextId();
        other.rewrite((lines) => [...(lines.at(-1)!.includes('"mine"') ? lines.slice(0, -1) : lines), line(id, null)]);
        foreign.add(id);
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 20 }), async (all) => {
        begin();
        const known = { foreign: new Set<string>(), ours: new Set(ids()) };
        for (const each of all) await each(known);
        await manager.flush();
        await manager.rewriteEntries();
        const stored = new Set(storedIds());
        for (const id of [...known.ours, ...known.foreign]) expect(stored).toContain(id);
        expect(storedIds()).toEqual(ids());
        expect(new Set(ids()).size).toBe(ids().length);
        const mine = [...known.ours].at(-1);
        expect(manager.getBranch().map(({ id }) => id)).toContain(mine);
        await manager.close();
      }),
      { numRuns: 100 },
    );
  });
});

describe('records that are published into an open session', () => {
  it('are entries of it, beside its branch, and stay when it is rewritten', async () => {
    const store = new MemorySessionStore();
    for (const options of [{ store }, world.options]) {
      const published = SessionManager.create('/work/app', undefined, options);
      published.appendMessage(assistant('a'));
      const leaf = published.getLeafId();
      const into = options.store ?? new BucketSessionStore({ agentDir: '/agent', storage: world.options.storage! });
      into.publish(published.getSessionId(), [{ value: JSON.parse(line('p1', leaf)) as SessionEntry }]);
      await published.flush();
      expect(published.getEntries().map(({ id }) => id)).toEqual([leaf, 'p1']);
      expect(published.getLeafId()).toBe(leaf);
      await published.rewriteEntries();
      published.appendMessage(user('more'));
      await published.close();
      const again = SessionManager.open(published.getSessionFile() ?? published.getSessionId(), undefined, undefined, options);
      expect(again.getEntries()).toEqual(published.getEntries());
      await again.close();
    }
  });
});

describe('two writers of ours', () => {
  it('cannot have a session open at once', async () => {
    const file = manager.getSessionFile()!;
    expect(() => world.open(file)).toThrow(expect.objectContaining({ code: 'session_owned' }));
    await manager.close();
    expect(world.open(file).getEntries()).toHaveLength(2);
  });
});
