import { createHash } from 'node:crypto';

import { buildSessionContext } from '../../src/context/build-context.ts';
import { session } from '../../src/testing/session-builder.ts';
import { SessionManager } from '../../src/manager/session-manager.ts';
import type { Dialect } from './places.ts';
import { assistant, besideName, user, type World } from './world.ts';

/** A case of the specifications: what is done, and what comes of it. */
export interface WorkedCase {
  /** Which case of which specification. */
  source: string;
  name: string;
  dialect: Dialect;
  run(world: World): unknown;
  result: unknown;
}

const FILE = '/work/app/s.jsonl';
const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/app"}';
const MESSAGE =
  '{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}';

const slot = (title: string): string => {
  const line = (pad: string): string =>
    JSON.stringify({ type: 'title', v: 1, title, updatedAt: '2026-01-01T00:00:00.000Z', pad });
  return line(' '.repeat(255 - line('').length));
};

const types = (manager: SessionManager): string[] => manager.getEntries().map(({ type }) => type);
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Sets up one that has been answered; answers the ids. */
function answered(manager: SessionManager): [string, string] {
  return [manager.appendMessage(user('q')), manager.appendMessage(assistant('a'))];
}

const carried = (cwd: string): string => `${HEADER.replace('/work/app', cwd)}\n${MESSAGE}\n`;

const buckets: WorkedCase[] = [
  {
    source: 'oh-my-pi 7 (at the first write)',
    name: 'a bucket of an absolute name moves into that of the folder for temporary files',
    dialect: 'musepi',
    run(world) {
      world.put('/agent/sessions/--tmp-foo--/carried.jsonl', carried('/tmp/foo'));
      const manager = world.create('/tmp/foo');
      const before = world.names('/agent/sessions');
      answered(manager);
      return [before, world.names('/agent/sessions'), world.names('/agent/sessions/-tmp-foo').includes('carried.jsonl')];
    },
    result: [['--tmp-foo--'], ['-tmp-foo'], true],
  },
  {
    source: 'oh-my-pi 8 (at the first write)',
    name: 'a bucket of a hashed name moves',
    dialect: 'musepi',
    run(world) {
      const hashed = `tmp-foo-${sha256('/tmp/foo')}`;
      world.put(`/agent/sessions/${hashed}/stranded.jsonl`, carried('/tmp/foo'));
      answered(world.create('/tmp/foo'));
      return [world.names('/agent/sessions'), world.names('/agent/sessions/-tmp-foo').includes('stranded.jsonl')];
    },
    result: [['-tmp-foo'], true],
  },
];

const loading: WorkedCase[] = [
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

const tree: WorkedCase[] = [
  {
    source: 'oh-my-pi 54',
    name: 'a branch without an append is forgotten: the leaf is the last line',
    dialect: 'musepi',
    async run(world) {
      const manager = world.create();
      const [q, a] = answered(manager);
      manager.branch(q);
      const moved = manager.getLeafId() === q;
      await manager.close();
      return [moved, world.open(manager.getSessionFile()!).getLeafId() === a];
    },
    result: [true, true],
  },
  {
    source: 'oh-my-pi 55',
    name: 'after resetLeaf the next entry is a second root',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      answered(manager);
      manager.resetLeaf();
      const none = manager.getLeafId();
      const root = manager.appendMessage(user('again'));
      return [none, manager.getEntry(root)?.parentId, manager.getTree().length];
    },
    result: [null, null, 2],
  },
  {
    source: 'oh-my-pi 56',
    name: 'a summary from the beginning is a root and says so',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      answered(manager);
      const { parentId, fromId } = manager.getEntry(manager.branchWithSummary(null, 's')) as {
        parentId: unknown;
        fromId?: string;
      };
      return [parentId, fromId];
    },
    result: [null, 'root'],
  },
  {
    source: 'oh-my-pi 57 and section 8',
    name: 'an unknown place is refused, and nothing changes',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      const [, a] = answered(manager);
      return [
        codeOf(() => manager.branch('nope')),
        codeOf(() => manager.branchWithSummary('nope', 's')),
        codeOf(() => manager.appendLabelChange('nope', 'l')),
        manager.getBranch('nope'),
        manager.getLeafId() === a,
        types(manager),
      ];
    },
    result: ['entry_not_found', 'entry_not_found', 'entry_not_found', [], true, ['message', 'message']],
  },
  {
    source: 'oh-my-pi 58, pi 39',
    name: 'a branch of its own goes round the label on its way, which comes again at its end',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      const u = manager.appendMessage(user('u'));
      const l = manager.appendLabelChange(u, 'mark');
      const a = manager.appendMessage(assistant('a'));
      const before = world.text(manager.getSessionFile()!);
      const branch = manager.createBranchedSession(a);
      const [first, second, third] = branch.getEntries();
      return [
        [first?.id === u, second?.id === a, second?.parentId === u, third?.type, third?.parentId === a, third?.id === l],
        branch.getLabel(u),
        branch.getHeader().parentSession === manager.getSessionFile(),
        world.text(manager.getSessionFile()!) === before,
        manager.getLeafId() === a,
        world.records(branch.getSessionFile()!).length,
      ];
    },
    result: [[true, true, true, 'label', true, false], 'mark', true, true, true, 4],
  },
  {
    source: 'oh-my-pi 59 (overridden: in memory a new manager)',
    name: 'a branch of its own from an unknown entry is refused; in memory it is another session',
    dialect: 'musepi',
    run(world) {
      const manager = SessionManager.inMemory('/work/app');
      const [q] = answered(manager);
      const branch = manager.createBranchedSession(q);
      return [codeOf(() => world.create().createBranchedSession('nope')), types(branch), types(manager), branch.getSessionFile()];
    },
    result: ['entry_not_found', ['message'], ['message', 'message'], undefined],
  },
  {
    source: 'pi 37',
    name: 'a branch without an answer is no file yet; with one it has one header and every entry once',
    dialect: 'pi',
    run(world) {
      const manager = world.create();
      const [q] = answered(manager);
      const branch = manager.createBranchedSession(q);
      const before = world.text(branch.getSessionFile()!);
      branch.appendCustomEntry('x');
      branch.appendMessage(assistant('b'));
      const records = world.records(branch.getSessionFile()!);
      return [before, records.map(({ type }) => type), new Set(records.map(({ id }) => id)).size];
    },
    result: [null, ['session', 'message', 'custom', 'message'], 4],
  },
  {
    source: 'pi 39',
    name: 'a setting behind a label hangs on what the label hung on',
    dialect: 'pi',
    run(world) {
      const manager = world.create();
      const [, a] = answered(manager);
      manager.appendLabelChange(a, 'l');
      const change = manager.appendModelChange('p', 'm');
      const last = manager.appendMessage(user('more'));
      return manager.createBranchedSession(last).getEntry(change)?.parentId === a;
    },
    result: true,
  },
  {
    source: 'pi 40',
    name: 'labels of kept entries keep their times, others are gone, and the leaf is the last label',
    dialect: 'pi',
    run(world) {
      const manager = world.create();
      const ids = [...answered(manager), manager.appendMessage(user('third'))];
      const labels = ids.map((id, i) => manager.getEntry(manager.appendLabelChange(id, `l${String(i)}`))!);
      const branch = manager.createBranchedSession(ids[1]!);
      return [
        ids.map((id) => branch.getLabel(id)),
        branch
          .getEntries()
          .slice(2)
          .map(({ timestamp }, i) => timestamp === labels[i]!.timestamp),
        branch.getLeafEntry()?.type,
      ];
    },
    result: [['l0', 'l1', undefined], [true, true], 'label'],
  },
  {
    source: 'pi 41',
    name: 'the last label counts, with its time; an empty one clears',
    dialect: 'pi',
    run(world) {
      const manager = world.create();
      const [q, a] = answered(manager);
      for (const name of ['one', 'two', 'three']) manager.appendLabelChange(q, name);
      const last = manager.getLeafEntry()!.timestamp;
      manager.appendLabelChange(a, 'gone');
      const cleared = manager.getEntry(manager.appendLabelChange(a, ''))!;
      const [root] = manager.getTree();
      return [root?.label, root?.labelTimestamp === last, manager.getLabel(a), 'label' in cleared];
    },
    result: ['three', true, undefined, false],
  },
];

const writing: WorkedCase[] = [
  {
    source: 'oh-my-pi 60',
    name: 'nothing is stored before the first answer, then all of it, then one line at a time',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      const file = manager.getSessionFile()!;
      for (const text of ['1', '2', '3']) manager.appendMessage(user(text));
      manager.appendModelChange('p', 'm');
      const before = world.text(file);
      manager.appendMessage(assistant('a'));
      const all = world.records(file).length;
      manager.appendMessage(user('4'));
      return [before, all, world.records(file).length];
    },
    result: [null, 6, 7],
  },
  {
    source: 'oh-my-pi 62',
    name: 'what was appended is on disk when the append returns',
    dialect: 'musepi',
    run(world) {
      const manager = world.create();
      answered(manager);
      const id = manager.appendMessage(user('next'));
      return world.records(manager.getSessionFile()!).at(-1)?.['id'] === id;
    },
    result: true,
  },
  {
    source: 'oh-my-pi 70 (overridden: the append throws, too)',
    name: 'a full disk in the middle of a line leaves no half line; later everything is written',
    dialect: 'musepi',
    async run(world) {
      const manager = world.create();
      answered(manager);
      const file = manager.getSessionFile()!;
      const before = world.text(file);
      let calls = 0;
      world.fault = (operation) => (operation !== 'write' ? null : ++calls % 2 === 1 ? { short: 10 } : { error: 'ENOSPC' });
      const first = codeOf(() => manager.appendMessage(user('lost?')));
      const intact = world.text(file) === before;
      const flushed = await rejection(manager.flush());
      world.fault = () => null;
      manager.appendMessage(user('space again'));
      return [first, intact, flushed, world.records(file).length, types(manager).length, await rejection(manager.close())];
    },
    result: ['storage_io', true, 'storage_io', 5, 4, 'done'],
  },
  {
    source: 'pi 35',
    name: 'a session with an id of one’s own has it in its name, and is no file yet',
    dialect: 'pi',
    run(world) {
      const manager = SessionManager.create('/work/app', undefined, { ...world.options, sessionId: 'X' });
      const file = manager.getSessionFile()!;
      return [
        file.replace(/^.*\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/, ''),
        world.text(file),
        codeOf(() => SessionManager.create('/work/app', undefined, { ...world.options, sessionId: '../x' })),
      ];
    },
    result: ['_X.jsonl', null, 'invalid_argument'],
  },
  {
    source: 'pi 36',
    name: 'a prompt alone is no file; with an answer header and both lines are there',
    dialect: 'pi',
    run(world) {
      const manager = world.create();
      manager.appendMessage(user('q'));
      const before = world.text(manager.getSessionFile()!);
      manager.appendMessage(assistant('a'));
      return [before, world.records(manager.getSessionFile()!).map(({ type }) => type)];
    },
    result: [null, ['session', 'message', 'message']],
  },
  {
    source: 'pi 43 (writing)',
    name: 'a name is one line; an empty one takes an older one away',
    dialect: 'pi',
    async run(world) {
      const manager = world.create();
      answered(manager);
      const names: unknown[] = [];
      for (const name of ['hello\nworld\r\nagain', '  ']) {
        await manager.setSessionName(name);
        names.push(manager.getSessionName(), world.records(manager.getSessionFile()!).at(-1)?.['name']);
      }
      return names;
    },
    result: ['hello world again', 'hello world again', undefined, ''],
  },
];

const lifecycle: WorkedCase[] = [
  {
    source: 'oh-my-pi 94',
    name: 'artifacts go with a fork; a source without an extension has none',
    dialect: 'musepi',
    run(world) {
      world.put('/work/app/plain', carried('/work/app'));
      world.put('/work/app/plain/../s.jsonl', carried('/work/app').replace('s1', 's2'));
      world.put('/work/app/s/0.bash.log', 'output');
      world.put('/work/app/s/deep/1.read.log', 'more');
      return ['/work/app/s.jsonl', '/work/app/plain'].map((file) => {
        const fork = SessionManager.forkFrom(file, '/work/app', undefined, world.options).getSessionFile()!;
        const folder = fork.replace(/\.jsonl$/, '');
        return [world.text(`${folder}/0.bash.log`), world.text(`${folder}/deep/1.read.log`)];
      });
    },
    result: [
      ['output', 'more'],
      [null, null],
    ],
  },
  {
    source: 'oh-my-pi 95',
    name: 'when the artifacts cannot be moved the session is where it was',
    dialect: 'musepi',
    async run(world) {
      world.inner.mkdirSync('/work/other');
      const manager = world.create();
      answered(manager);
      const file = manager.getSessionFile()!;
      const folder = file.replace(/\.jsonl$/, '');
      world.put(`${folder}/0.bash.log`, 'output');
      world.fault = (operation, at) => (operation === 'rename' && at === folder ? { error: 'EACCES' } : null);
      const refused = await rejection(manager.moveTo('/work/other'));
      world.fault = () => null;
      manager.appendMessage(user('still here'));
      const stayed = [refused, manager.getSessionFile() === file, manager.getCwd(), world.records(file).length];
      await manager.moveTo('/work/other');
      manager.appendMessage(user('there'));
      const moved = manager.getSessionFile()!;
      const [header, ...entries] = world.records(moved);
      return [
        stayed,
        world.text(file),
        header?.['cwd'],
        header?.['previousSessionFiles'],
        entries.length,
        world.text(`${moved.replace(/\.jsonl$/, '')}/0.bash.log`),
      ].map((value) => (JSON.stringify(value) === JSON.stringify([file]) ? 'old place' : value));
    },
    result: [['storage_io', true, '/work/app', 4], null, '/work/other', 'old place', 4, 'output'],
  },
  {
    source: 'oh-my-pi 86',
    name: 'the session of a project that is gone is not taken into another one',
    dialect: 'musepi',
    async run(world) {
      world.inner.mkdirSync('/work/gone');
      const old = world.create('/work/gone');
      answered(old);
      await old.close();
      const text = world.text(old.getSessionFile()!);
      world.inner.rmdirSync('/work/gone');
      const manager = SessionManager.continueRecent('/work/app', undefined, world.options);
      return [manager.getSessionId() === old.getSessionId(), manager.getEntries(), world.text(old.getSessionFile()!) === text];
    },
    result: [false, [], true],
  },
  {
    source: 'oh-my-pi section 5, rule 4',
    name: 'the session of a project that was renamed goes with it',
    dialect: 'musepi',
    async run(world) {
      world.inner.mkdirSync('/work/before');
      const old = world.create('/work/before');
      answered(old);
      await old.close();
      world.inner.renameSync('/work/before', '/work/after');
      const manager = SessionManager.continueRecent('/work/after', undefined, world.options);
      await manager.flush();
      return [
        manager.getSessionId() === old.getSessionId(),
        manager.getCwd(),
        manager.getHeader().cwd,
        world.text(old.getSessionFile()!),
      ];
    },
    result: [true, '/work/after', '/work/after', null],
  },
  {
    source: 'oh-my-pi 87',
    name: 'from the file of a sub-agent the session is resumed that it belongs to',
    dialect: 'musepi',
    async run(world) {
      const parent = world.create();
      answered(parent);
      await parent.close();
      const file = parent.getSessionFile()!;
      const inner = `${file.replace(/\.jsonl$/, '')}/Agent1.jsonl`;
      world.put(inner, carried('/work/app'));
      await world.open(inner).close();
      return SessionManager.continueRecent('/work/app', undefined, world.options).getSessionFile() === file;
    },
    result: true,
  },
  {
    source: 'oh-my-pi section 5, rule 1',
    name: 'a new session that was never stored is not replaced by an older one',
    dialect: 'musepi',
    async run(world) {
      const old = world.create();
      answered(old);
      old.newSession();
      await old.close();
      const manager = SessionManager.continueRecent('/work/app', undefined, world.options);
      return manager.getEntries();
    },
    result: [],
  },
];

const closing: WorkedCase[] = [
  {
    source: 'product 4.2',
    name: 'an interrupted turn is closed by what is said next, not by opening nor by a setting',
    dialect: 'pi',
    run(world) {
      const call = (id: string): Record<string, string> => ({ type: 'toolCall', id, name: 'bash' });
      const text = session({ cwd: '/work/app' })
        .user('go')
        .assistant([call('c1'), call('c2')] as never, { stopReason: 'toolUse' })
        .result('c1', 'ok')
        .text();
      world.put(FILE, text);
      const manager = world.open(FILE);
      const untouched = world.text(FILE) === text;
      manager.appendModelChange('p', 'm');
      manager.appendMessage(user('next'));
      const messages = buildSessionContext(manager.getEntries(), undefined, undefined, { rules: 'pi' }).messages;
      return [untouched, messages.map(({ role, toolCallId, isError }) => [role, toolCallId, isError])];
    },
    result: [
      true,
      [
        ['user', undefined, undefined],
        ['assistant', undefined, undefined],
        ['toolResult', 'c1', false],
        ['toolResult', 'c2', true],
        ['user', undefined, undefined],
      ],
    ],
  },
  {
    source: 'product 4.2',
    name: 'an agent that takes up the turn again answers its calls itself',
    dialect: 'pi',
    run(world) {
      world.put(FILE, session({ cwd: '/work/app' }).user('go').call('c1', 'bash').text());
      const manager = world.open(FILE);
      manager.appendMessage({ role: 'toolResult', toolCallId: 'c1', toolName: 'bash', content: [], isError: false });
      manager.appendMessage(assistant('done'));
      return types(manager).length;
    },
    result: 4,
  },
];

export const WORKED_CASES: readonly WorkedCase[] = [...buckets, ...loading, ...tree, ...writing, ...lifecycle, ...closing];
