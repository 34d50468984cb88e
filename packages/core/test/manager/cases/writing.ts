import { SessionManager } from '../../../src/manager/session-manager.ts';
import { assistant, user } from '../world.ts';
import { answered, codeOf, rejection, types, type WorkedCase } from './kit.ts';

export const writing: WorkedCase[] = [
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
