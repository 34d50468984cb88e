import assert from 'node:assert/strict';

import { exportLog } from '../store/export-log.ts';
import {
  collected,
  failsWith,
  headerFor,
  idsOf,
  linesOf,
  note,
  picture,
  rejectsWith,
  storedIds,
  valuesOf,
  type StoreTest,
} from './store-fixture.ts';

const READING: Record<string, StoreTest> = {
  async 'what was appended is read again, as it was meant'({ store }) {
    const entries = [picture('e1'), note('e2', 'e1', { deep: [1, 'two', null] })];
    const handle = store.create(headerFor('s1'));
    handle.appendSync(entries);
    const expected = [headerFor('s1'), ...valuesOf(entries)];
    assert.deepEqual(valuesOf(handle.readSync()), expected);
    await handle.close();
    const reader = await store.open('s1', 'read');
    assert.deepEqual(valuesOf(await reader.read()), expected);
    assert.deepEqual(reader.header, headerFor('s1'));
    assert.equal(reader.rewriteRequired, false);
    assert.deepEqual(reader.problems, []);
    await reader.close();
  },
  async 'records have their stored bytes, and parts of the list can be asked for'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([picture('e1'), note('e2'), note('e3')]);
    await handle.close();
    const reader = store.openSync('s1', 'read');
    const lines = reader.readSync().map(({ raw }) => new TextDecoder().decode(raw));
    assert.deepEqual(lines, linesOf(bytes('s1')));
    assert.deepEqual(idsOf(reader.readSync(2)), ['e2', 'e3']);
    assert.deepEqual(idsOf(await reader.read(1, 2)), ['e1', 'e2']);
    assert.deepEqual(reader.readSync(9), []);
    await reader.close();
  },
  async 'a handle for reading writes nothing'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    await handle.close();
    const before = bytes('s1');
    const reader = store.openSync('s1', 'read');
    failsWith('invalid_argument', () => reader.appendSync([note('e2')]));
    failsWith('invalid_argument', () => reader.replaceSync([{ value: headerFor('s1') }], { revision: reader.revision }));
    await rejectsWith('invalid_argument', reader.append([note('e2')]));
    await rejectsWith('invalid_argument', reader.updateHeader({ ...headerFor('s1'), title: 'x' }));
    await reader.flush();
    await reader.close();
    await reader.close();
    assert.deepEqual(bytes('s1'), before);
    failsWith('storage_closed', () => reader.readSync());
  },
  async 'what is not there is not found'({ store }) {
    failsWith('session_not_found', () => store.openSync('none', 'read'));
    failsWith('session_not_found', () => store.openSync('none', 'write'));
    await rejectsWith('session_not_found', store.open('none', 'write'));
    await rejectsWith('session_not_found', store.delete('none'));
    assert.equal(await store.stat('none'), undefined);
    assert.equal(store.locate('none'), undefined);
  },
};

const EXPORTING: Record<string, StoreTest> = {
  async 'a log is exported as it is stored, whoever has it open'({ store, another, bytes }) {
    const handle = store.create({ cwd: '/home/ann/app', extra: 1, ...headerFor('s1') });
    handle.appendSync([picture('e1'), note('e2')]);
    handle.appendSync([note('e3', null, 'x'.repeat(100_000))]);
    const [, ...lines] = linesOf(bytes('s1'));
    const expected = [JSON.stringify({ ...headerFor('s1'), extra: 1 }), ...lines];
    assert.deepEqual(linesOf(await collected(exportLog(handle))), expected);
    const reader = another().openSync('s1', 'read');
    assert.deepEqual(linesOf(await collected(exportLog(reader))), expected);
    await handle.close();
    await rejectsWith('storage_closed', collected(exportLog(handle)));
  },
  async 'the log of a session that is not stored is its header'({ store }) {
    const handle = store.create(headerFor('s1'));
    assert.deepEqual(linesOf(await collected(exportLog(handle))), [JSON.stringify(headerFor('s1'))]);
    await handle.close();
  },
};

const OWNING: Record<string, StoreTest> = {
  async 'one has a session open for writing, others may read'({ store, another }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    failsWith('session_owned', () => store.openSync('s1', 'write'));
    failsWith('session_owned', () => another().openSync('s1', 'write'));
    await rejectsWith('session_owned', another().delete('s1'));
    assert.deepEqual(idsOf(another().openSync('s1', 'read').readSync()), ['s1', 'e1']);
    await handle.close();
    const next = another().openSync('s1', 'write');
    failsWith('session_owned', () => store.openSync('s1', 'write'));
    await next.close();
  },
  async 'a deleted session is gone'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    await handle.close();
    await store.delete('s1');
    assert.equal(bytes('s1'), undefined);
    failsWith('session_not_found', () => store.openSync('s1', 'read'));
    assert.deepEqual(store.listSync(), []);
  },
};

const FINDING: Record<string, StoreTest> = {
  async 'the list has the newest first'({ store }) {
    for (const id of ['s1', 's2', 's3']) {
      const handle = store.create(headerFor(id, id === 's2' ? '/home/ann/other' : '/home/ann/app'));
      handle.appendSync([note(`${id}-e1`)]);
      await handle.close();
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const again = store.openSync('s1', 'write');
    again.appendSync([note('s1-e2')]);
    await again.close();
    const { sessions, problems } = await store.list();
    assert.deepEqual([sessions.map(({ id }) => id), problems], [['s1', 's3', 's2'], []]);
    assert.deepEqual(
      store.listSync().map(({ id }) => id),
      ['s1', 's3', 's2'],
    );
    assert.deepEqual(
      store.listSync('/home/ann/app').map(({ id }) => id),
      ['s1', 's3'],
    );
    assert.deepEqual(store.listSync('/nowhere'), []);
  },
  async 'a stat changes its revision with the session'({ store, bytes, sizeOf }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    const before = (await store.stat('s1'))!;
    assert.deepEqual(before.header, headerFor('s1'));
    assert.equal(before.sizeBytes, sizeOf?.('s1') ?? bytes('s1')!.length);
    assert.ok(before.eventCount === undefined || before.eventCount === 1);
    handle.appendSync([note('e2')]);
    assert.notEqual((await store.stat('s1'))!.revision, before.revision);
    await handle.close();
  },
  async 'a moved session has another working directory'({ store, bytes }) {
    if (store.move === undefined) return;
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    const [, line] = linesOf(bytes('s1'));
    await store.move('s1', '/home/ann/other');
    assert.equal(handle.header.cwd, '/home/ann/other');
    handle.appendSync([note('e2')]);
    await handle.close();
    await store.move('s1', '/home/ann/third');
    assert.equal((await store.stat('s1'))!.header.cwd, '/home/ann/third');
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
    assert.equal(linesOf(bytes('s1'))[1], line);
    assert.deepEqual(store.listSync('/home/ann/app'), []);
    assert.deepEqual(
      store.listSync('/home/ann/third').map(({ id }) => id),
      ['s1'],
    );
    const pending = store.create(headerFor('s2'));
    await store.move('s2', '/home/ann/other');
    assert.deepEqual([pending.stored, pending.header.cwd], [false, '/home/ann/other']);
    await pending.close();
  },
};

const LIVE: Record<string, StoreTest> = {
  async 'published records come soon, in order'({ store, bytes }) {
    failsWith('session_not_found', () => store.publish('s1', [note('e1')]));
    const handle = store.create(headerFor('s1'));
    handle.appendSync([]);
    store.publish('s1', [note('e1')]);
    store.publish('s1', [note('e2')]);
    assert.deepEqual(storedIds(bytes('s1')), ['s1']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
    store.publish('s1', [note('e3')]);
    handle.appendSync([note('e4')]);
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2', 'e3', 'e4']);
    store.publish('s1', [note('e5')]);
    handle.flushSync();
    assert.deepEqual(storedIds(bytes('s1')).at(-1), 'e5');
    store.publish('s1', [note('e6')]);
    await handle.close();
    assert.deepEqual(storedIds(bytes('s1')).at(-1), 'e6');
    failsWith('session_not_found', () => store.publish('s1', [note('e7')]));
  },
  async 'many published records are not held back'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([]);
    for (let i = 0; i < 10; i++) store.publish('s1', [note(`e${String(i)}`, null, 'x'.repeat(20_000))]);
    assert.ok(storedIds(bytes('s1')).length > 3);
    await handle.close();
    assert.equal(storedIds(bytes('s1')).length, 11);
  },
};

/** What is asked of reading, finding and sharing. */
export const READING_CASES: Record<string, StoreTest> = { ...READING, ...EXPORTING, ...OWNING, ...FINDING, ...LIVE };
