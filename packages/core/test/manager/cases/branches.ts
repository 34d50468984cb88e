import { SessionManager } from '../../../src/manager/session-manager.ts';
import { assistant, user } from '../world.ts';
import { answered, codeOf, types, type WorkedCase } from './kit.ts';

export const tree: WorkedCase[] = [
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
