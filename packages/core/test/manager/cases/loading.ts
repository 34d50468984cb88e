import { SessionManager } from '../../../src/manager/session-manager.ts';
import { assistant, besideName, user } from '../world.ts';
import { FILE, HEADER, MESSAGE, types, type WorkedCase } from './kit.ts';

const slot = (title: string): string => {
  const line = (pad: string): string =>
    JSON.stringify({ type: 'title', v: 1, title, updatedAt: '2026-01-01T00:00:00.000Z', pad });
  return line(' '.repeat(255 - line('').length));
};

export const loading: WorkedCase[] = [
  {
    source: 'oh-my-pi 11 (nothing is dropped)',
    name: 'a line that is no JSON goes with the next write, and is kept beside',
    dialect: 'musepi',
    run(world) {
      const text = `${HEADER}\nnot valid json\n${MESSAGE}\n`;
      world.put(FILE, text);
      const manager = world.open(FILE);
      const untouched = world.text(FILE) === text;
      manager.appendMessage(user('more'));
      return [
        untouched,
        types(manager).length,
        world.records(FILE).length,
        world.names('/work/app'),
        world.text(`/work/app/${besideName(FILE, 'before', text)}`) === text,
      ];
    },
    get result() {
      return [true, 2, 3, ['s.jsonl', besideName(FILE, 'before', `${HEADER}\nnot valid json\n${MESSAGE}\n`)], true];
    },
  },
  {
    source: 'oh-my-pi 12',
    name: 'a torn last line is kept beside, and nothing fuses with it',
    dialect: 'musepi',
    run(world) {
      const torn = '{"type":"message","id":"e2","par';
      world.put(FILE, `${HEADER}\n${MESSAGE}\n${torn}`);
      const manager = world.open(FILE);
      manager.appendMessage(user('more'));
      return [world.records(FILE).length, world.text(`/work/app/${besideName(FILE, 'tail', torn)}`) === torn];
    },
    result: [3, true],
  },
  {
    source: 'oh-my-pi 16',
    name: 'opening a missing path makes the file there, with its header',
    dialect: 'musepi',
    run(world) {
      const manager = world.open(FILE);
      const [header, ...rest] = world.records(FILE);
      return [header?.['id'] === manager.getSessionId(), rest, manager.getSessionFile()];
    },
    result: [true, [], FILE],
  },
  {
    source: 'oh-my-pi 17, pi 27 (overridden: a session in memory, and nothing is touched)',
    name: 'a file without a header stays as it is until the first write, which keeps it beside',
    dialect: 'pi',
    async run(world) {
      world.put(FILE, `${MESSAGE}\n`);
      const manager = world.open(FILE);
      manager.appendMessage(user('q'));
      await manager.flush();
      const untouched = world.text(FILE) === `${MESSAGE}\n`;
      manager.appendMessage(assistant('a'));
      return [untouched, world.records(FILE).map(({ type }) => type), world.names('/work/app')];
    },
    get result() {
      return [true, ['session', 'message', 'message'], ['s.jsonl', besideName(FILE, 'damaged', `${MESSAGE}\n`)]];
    },
  },
  {
    source: 'oh-my-pi 18',
    name: 'the title line names the session; an empty one takes the name of the header away',
    dialect: 'musepi',
    run(world) {
      world.put(FILE, `${slot('From the slot')}\n${HEADER}\n${MESSAGE}\n`);
      world.put(
        '/work/app/t.jsonl',
        `${slot('')}\n${HEADER.replace('s1', 't1').replace('}', ',"title":"Hidden"}')}\n${MESSAGE}\n`,
      );
      return [world.open(FILE).getSessionName(), world.open('/work/app/t.jsonl').getSessionName()];
    },
    result: ['From the slot', undefined],
  },
  {
    source: 'pi 28',
    name: 'an empty file gets one header line; opened again it is the same session',
    dialect: 'pi',
    async run(world) {
      world.put(FILE, '');
      const manager = world.open(FILE);
      const once = world.records(FILE).length;
      await manager.close();
      return [once, world.open(FILE).getSessionId() === manager.getSessionId()];
    },
    result: [1, true],
  },
  {
    source: 'pi 31',
    name: 'version 1 becomes 3 with the next write, with the ids that reading shows; version 2 keeps its ids',
    dialect: 'pi',
    run(world) {
      const v1 = `{"type":"session","id":"s1","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/work/app"}\n{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"a"}}\n{"type":"message","timestamp":"2025-01-01T00:00:02.000Z","message":{"role":"user","content":"b"}}\n`;
      world.put(FILE, v1);
      const manager = world.open(FILE);
      const shown = manager.getEntries().map(({ id, parentId }) => [id, parentId]);
      const untouched = world.text(FILE) === v1;
      manager.appendMessage(user('c'));
      const [header, ...entries] = world.records(FILE);
      world.put('/work/app/two.jsonl', `${HEADER.replace('"version":3', '"version":2').replace('s1', 's2')}\n${MESSAGE}\n`);
      const second = world.open('/work/app/two.jsonl');
      return [
        shown,
        untouched,
        header?.['version'],
        entries.map(({ id, parentId }) => [id, parentId]).slice(0, 2),
        second.getEntries()[0]?.id,
      ];
    },
    result: [
      [
        ['00000001', null],
        ['00000002', '00000001'],
      ],
      true,
      3,
      [
        ['00000001', null],
        ['00000002', '00000001'],
      ],
      'e1',
    ],
  },
  {
    source: 'pi 32',
    name: 'a kept index becomes a kept id; that of the header becomes none',
    dialect: 'pi',
    run: (world) =>
      [1, 0].map((index) => {
        const file = `/work/app/${String(index)}.jsonl`;
        const compaction = `{"type":"compaction","timestamp":"2025-01-01T00:00:02.000Z","summary":"s","firstKeptEntryIndex":${String(index)},"tokensBefore":1}`;
        world.put(
          file,
          `{"type":"session","id":"s${String(index)}","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/work/app"}\n{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"a"}}\n${compaction}\n`,
        );
        const manager = world.open(file);
        manager.appendMessage(user('b'));
        const stored = world.records(file)[2]!;
        return ['firstKeptEntryIndex' in stored, stored['firstKeptEntryId']];
      }),
    result: [
      [false, '00000001'],
      [false, undefined],
    ],
  },
  {
    source: 'pi 33',
    name: 'a fork of an old file is migrated, and the source stays as it is',
    dialect: 'pi',
    run(world) {
      const v2 = `${HEADER.replace('"version":3', '"version":2')}\n${MESSAGE.replace('"user"', '"hookMessage"')}\n`;
      world.put(FILE, v2);
      world.inner.mkdirSync('/work/other');
      const fork = SessionManager.forkFrom(FILE, '/work/other', undefined, world.options);
      const [header, entry] = world.records(fork.getSessionFile()!);
      return [
        world.text(FILE) === v2,
        [header?.['version'], header?.['cwd'], header?.['parentSession']],
        (entry?.['message'] as { role: string }).role,
      ];
    },
    result: [true, [3, '/work/other', FILE], 'custom'],
  },
];
