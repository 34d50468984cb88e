import { SessionManager } from '../../../src/manager/session-manager.ts';
import { user } from '../world.ts';
import { answered, carried, rejection, type WorkedCase } from './kit.ts';

export const lifecycle: WorkedCase[] = [
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
