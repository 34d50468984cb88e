import assert from 'node:assert/strict';

import {
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

const CREATING: Record<string, StoreTest> = {
  async 'a created session is nowhere before its first write'({ store, another, bytes }) {
    const handle = store.create(headerFor('s1'));
    assert.equal(handle.stored, false);
    assert.equal(bytes('s1'), undefined);
    assert.deepEqual(store.listSync(), []);
    assert.deepEqual(valuesOf(handle.readSync()), [headerFor('s1')]);
    failsWith('session_not_found', () => another().openSync('s1', 'read'));
    await handle.close();
    assert.equal(bytes('s1'), undefined);
  },
  async 'the first append writes header and records'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1'), note('e2', 'e1')]);
    assert.equal(handle.stored, true);
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
    await handle.close();
  },
  async 'an append of nothing writes the header alone'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([]);
    assert.deepEqual(linesOf(bytes('s1')), [JSON.stringify(headerFor('s1'))]);
    await handle.close();
  },
  async 'the first write may be a replace'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.replaceSync([{ value: { ...headerFor('s1'), title: 'named' } }, note('e1')], { revision: handle.revision });
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1']);
    assert.equal(handle.header.title, 'named');
    await handle.close();
  },
  async 'an id is given once, also while it is pending'({ store }) {
    const handle = store.create(headerFor('s1'));
    failsWith('session_exists', () => store.create(headerFor('s1')));
    await handle.close();
    const again = store.create(headerFor('s1'));
    again.appendSync([]);
    await again.close();
    const third = store.create(headerFor('s1'));
    failsWith('session_exists', () => third.appendSync([note('e1')]));
    assert.equal(third.stored, false);
    await third.close();
    assert.deepEqual(idsOf(store.openSync('s1', 'read').readSync()), ['s1']);
  },
  async 'a pending session takes another header'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    await handle.updateHeader({ ...headerFor('s1'), title: 'later' });
    assert.equal(bytes('s1'), undefined);
    await handle.append([note('e1')]);
    assert.equal((JSON.parse(linesOf(bytes('s1'))[0]!) as { title: string }).title, 'later');
    await handle.close();
  },
};

const WRITING: Record<string, StoreTest> = {
  async 'an append is stored when it returns'({ store, another, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    handle.appendSync([note('e2')]);
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
    await handle.append([note('e3')]);
    assert.deepEqual(idsOf(another().openSync('s1', 'read').readSync()), ['s1', 'e1', 'e2', 'e3']);
    await handle.close();
  },
  async 'a stored session is gone on with'({ store, another, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    await handle.close();
    const later = another().openSync('s1', 'write');
    assert.equal(later.stored, true);
    later.appendSync([note('e2')]);
    await later.close();
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
  },
  async 'bytes that are given are stored as they are'({ store, bytes }) {
    const line = '{"type":"custom", "customType":"n","id":"e1","parentId":null,"timestamp":"","data":1.00}';
    const handle = store.create(headerFor('s1'));
    handle.appendSync([{ ...note('e1'), raw: new TextEncoder().encode(line) }]);
    assert.equal(linesOf(bytes('s1'))[1], line);
    failsWith('invalid_argument', () => handle.appendSync([{ ...note('e2'), raw: new TextEncoder().encode('{\n}') }]));
    failsWith('invalid_argument', () => handle.appendSync([{ ...note('e2'), raw: new Uint8Array(0) }]));
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1']);
    await handle.close();
  },
  async 'of several records all are stored or none'({ store, bytes }) {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    assert.throws(() => handle.appendSync([note('e2'), note('e3', null, circle)]), TypeError);
    failsWith('invalid_argument', () => handle.appendSync([note('e2'), { value: headerFor('s1') }]));
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1']);
    handle.appendSync([note('e4')]);
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e4']);
    await handle.close();
  },
  async 'a closed handle does nothing more'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    await handle.close();
    await handle.close();
    failsWith('storage_closed', () => handle.appendSync([note('e2')]));
    failsWith('storage_closed', () => handle.readSync());
    failsWith('storage_closed', () => handle.flushSync());
    await rejectsWith('storage_closed', handle.updateHeader({ ...headerFor('s1'), title: 'x' }));
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1']);
  },
  async 'entries are not changed by being stored'({ store }) {
    const entry = picture('e1');
    const before = structuredClone(entry.value);
    const handle = store.create(headerFor('s1'));
    handle.appendSync([entry]);
    assert.deepEqual(entry.value, before);
    await handle.close();
  },
};

const REPLACING: Record<string, StoreTest> = {
  async 'a replace stores what it is given, in that order'({ store, bytes }) {
    const [e1, e2, e3] = [note('e1'), note('e2'), note('e3')];
    const handle = store.create(headerFor('s1'));
    handle.appendSync([e1, e2, e3]);
    const header = { ...headerFor('s1'), title: 'new' };
    handle.replaceSync([{ value: header }, e3, note('e9'), e1], { revision: handle.revision });
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e3', 'e9', 'e1']);
    assert.equal(handle.header.title, 'new');
    handle.appendSync([e2]);
    await handle.replace([{ value: header }, e2, e3], { revision: handle.revision });
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e2', 'e3']);
    await handle.close();
  },
  async 'known records are copied byte for byte'({ store, bytes }) {
    const line = '{"type":"custom", "customType":"n","id":"e1","parentId":null,"timestamp":"","data":1.00}';
    const handle = store.create(headerFor('s1'));
    handle.appendSync([{ ...note('e1'), raw: new TextEncoder().encode(line) }, picture('e2'), note('e3')]);
    await handle.close();
    const before = linesOf(bytes('s1'));
    const later = store.openSync('s1', 'write');
    const records = later.readSync().map(({ value }) => ({ value }));
    later.appendSync([note('e4')]);
    later.replaceSync([records[0]!, records[3]!, records[2]!, records[1]!], { revision: later.revision });
    assert.deepEqual(linesOf(bytes('s1')), [before[0], before[3], before[2], before[1]]);
    // The same objects again, which lie elsewhere now.
    later.replaceSync(records, { revision: later.revision });
    assert.deepEqual(linesOf(bytes('s1')), before);
    await later.close();
  },
  async 'a replace of another revision is refused'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1')]);
    const { revision } = handle;
    handle.appendSync([note('e2')]);
    failsWith('session_conflict', () => handle.replaceSync([{ value: headerFor('s1') }], { revision }));
    await rejectsWith('session_conflict', handle.replace([{ value: headerFor('s1') }], { revision }));
    failsWith('invalid_argument', () => handle.replaceSync([note('e1')], { revision: handle.revision }));
    failsWith('invalid_argument', () => handle.replaceSync([{ value: headerFor('s2') }], { revision: handle.revision }));
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'e1', 'e2']);
    await handle.close();
  },
  async 'what is appended while the session is replaced is in the new one'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    const entries = Array.from({ length: 40 }, (_, i) => note(`e${String(i)}`, null, 'x'.repeat(60_000)));
    handle.appendSync(entries);
    const done = handle.replace([{ value: headerFor('s1') }, ...entries.slice(20)], { revision: handle.revision });
    handle.appendSync([note('late')]);
    await done;
    const ids = entries.slice(20).map(({ value }) => value.id);
    assert.deepEqual(storedIds(bytes('s1')), ['s1', ...ids, 'late']);
    const late = handle.readSync().at(-1)!;
    handle.replaceSync([{ value: headerFor('s1') }, late], { revision: handle.revision });
    assert.deepEqual(storedIds(bytes('s1')), ['s1', 'late']);
    await handle.close();
  },
  async 'another header leaves the records alone'({ store, bytes }) {
    const handle = store.create(headerFor('s1'));
    handle.appendSync([note('e1'), picture('e2')]);
    const [, ...before] = linesOf(bytes('s1'));
    const header = { ...headerFor('s1'), title: 'a longer header than before', extra: { kept: true } };
    await handle.updateHeader(header);
    assert.deepEqual(linesOf(bytes('s1')).slice(1), before);
    assert.deepEqual(handle.header, header);
    handle.appendSync([note('e3')]);
    await rejectsWith('invalid_argument', handle.updateHeader(headerFor('s2')));
    await handle.close();
    const reader = store.openSync('s1', 'read');
    assert.deepEqual(reader.header, header);
    assert.deepEqual(idsOf(reader.readSync()), ['s1', 'e1', 'e2', 'e3']);
  },
};

/** What is asked of handles that write. */
export const WRITING_CASES: Record<string, StoreTest> = { ...CREATING, ...WRITING, ...REPLACING };
