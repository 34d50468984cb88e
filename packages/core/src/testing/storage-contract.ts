import assert from 'node:assert/strict';

import type { SessionStorage } from '../storage/storage.ts';
import type { TestKit } from './disk-contract.ts';
import { failsWith, fileText, namesIn, putFile } from './disk-files.ts';

export interface StorageFixture {
  storage: SessionStorage;
  /** An empty folder that the test may fill. */
  base: string;
  dispose(): void | Promise<void>;
}

type Test = (storage: SessionStorage, base: string) => void | Promise<void>;

/** What every session storage must do alike. `make` is called for each test. */
export function storageContract(kit: TestKit, name: string, make: () => StorageFixture | Promise<StorageFixture>): void {
  kit.describe(`SessionStorage contract: ${name}`, () => {
    for (const [title, test] of Object.entries({ ...WRITING, ...READING, ...FILES, ...APPENDING, ...DELETING })) {
      kit.it(title, async () => {
        const { storage, base, dispose } = await make();
        try {
          await test(storage, base);
        } finally {
          await dispose();
        }
      });
    }
  });
}

const WRITING: Record<string, Test> = {
  'makes folders with those above them'(storage, base) {
    storage.ensureDirSync(`${base}/a/b`);
    storage.ensureDirSync(`${base}/a/b`);
    assert.equal(storage.disk.statSync(`${base}/a/b`).kind, 'directory');
  },
  async 'writes whole contents, with their folders, for nobody else to read'(storage, base) {
    storage.writeTextSync(`${base}/x/one`, 'sync');
    await storage.writeText(`${base}/y/two`, 'async 项目');
    await storage.writeTextAtomic(`${base}/z/three`, '');
    assert.equal(fileText(storage.disk, `${base}/x/one`), 'sync');
    assert.equal(await storage.readText(`${base}/y/two`), 'async 项目');
    assert.equal(await storage.readText(`${base}/z/three`), '');
    assert.equal(storage.disk.statSync(`${base}/x/one`).mode & 0o077, 0);
    assert.equal(storage.disk.statSync(`${base}/x`).mode & 0o077, 0);
  },
  async 'replaces a file by another one, which keeps its permissions'(storage, base) {
    putFile(storage.disk, `${base}/a`, 'old');
    const before = storage.disk.statSync(`${base}/a`);
    const reader = storage.disk.openSync(`${base}/a`, 'read');
    await storage.writeTextAtomic(`${base}/a`, 'the new content');
    const after = storage.disk.statSync(`${base}/a`);
    assert.notEqual(after.ino, before.ino);
    assert.equal(after.mode, before.mode);
    assert.equal(reader.statSync().size, 3);
    reader.closeSync();
    assert.equal(fileText(storage.disk, `${base}/a`), 'the new content');
    assert.deepEqual(namesIn(storage.disk, base), ['a']);
  },
  async 'asks the guard when everything is ready, and leaves all as it is where it says no'(storage, base) {
    storage.writeTextSync(`${base}/a`, 'old');
    const before = storage.disk.statSync(`${base}/a`);
    const seen: (string | null)[] = [];
    const commitGuard = (): boolean => (seen.push(fileText(storage.disk, `${base}/a`)), false);
    await storage.writeTextAtomic(`${base}/a`, 'new', { commitGuard });
    assert.deepEqual(seen, ['old']);
    assert.deepEqual(storage.disk.statSync(`${base}/a`), before);
    assert.deepEqual(namesIn(storage.disk, base), ['a']);
    await storage.writeTextAtomic(`${base}/a`, 'new', { commitGuard: () => true });
    assert.equal(fileText(storage.disk, `${base}/a`), 'new');
    await assert.rejects(
      storage.writeTextAtomic(`${base}/a`, 'x', {
        commitGuard: () => {
          throw new Error('guard');
        },
      }),
      /guard/,
    );
    assert.equal(fileText(storage.disk, `${base}/a`), 'new');
    assert.deepEqual(namesIn(storage.disk, base), ['a']);
  },
  async 'replaces only a file of the expected size'(storage, base) {
    storage.writeTextSync(`${base}/a`, 'four', 0);
    await failsWith('session_conflict', () => storage.writeTextSync(`${base}/a`, 'x', 3));
    await failsWith('session_conflict', () => storage.writeTextAtomic(`${base}/none`, 'x', { expectedSize: 3 }));
    assert.equal(fileText(storage.disk, `${base}/a`), 'four');
    assert.deepEqual(namesIn(storage.disk, base), ['a']);
    storage.writeTextSync(`${base}/a`, 'two', 4);
    await storage.writeTextAtomic(`${base}/a`, 'three', { expectedSize: 3 });
    assert.equal(fileText(storage.disk, `${base}/a`), 'three');
  },
};

const READING: Record<string, Test> = {
  async 'reads both ends, overlapping where the file is short'(storage, base) {
    storage.writeTextSync(`${base}/a`, '0123456789');
    assert.deepEqual(await storage.readTextSlices(`${base}/a`, 3, 2), ['012', '89']);
    assert.deepEqual(await storage.readTextSlices(`${base}/a`, 8, 8), ['01234567', '23456789']);
    assert.deepEqual(await storage.readTextSlices(`${base}/a`, 100, 100), ['0123456789', '0123456789']);
    assert.deepEqual(await storage.readTextSlices(`${base}/a`, 0, -5), ['', '']);
  },
  async 'marks characters that the slice cuts'(storage, base) {
    storage.writeTextSync(`${base}/a`, 'é你好é');
    const [first, last] = await storage.readTextSlices(`${base}/a`, 4, 4);
    assert.equal(first, 'é\uFFFD');
    assert.ok(last.startsWith('\uFFFD') && last.endsWith('é'));
  },
  async 'keeps what a text begins with'(storage, base) {
    await storage.writeText(`${base}/a`, '\uFEFF{}');
    assert.equal(await storage.readText(`${base}/a`), '\uFEFF{}');
  },
  async 'says what is missing'(storage, base) {
    await failsWith('ENOENT', () => storage.readText(`${base}/none`));
    await failsWith('ENOENT', () => storage.readTextSlices(`${base}/none`, 1, 1));
    await failsWith('ENOENT', () => storage.statSync(`${base}/none`));
    storage.writeTextSync(`${base}/a`, 'x');
    for (const path of ['none', 'no/folder', 'a/below']) {
      assert.equal(storage.existsSync(`${base}/${path}`), false);
      assert.equal(await storage.exists(`${base}/${path}`), false);
    }
  },
};

const FILES: Record<string, Test> = {
  async 'knows files and folders'(storage, base) {
    storage.writeTextSync(`${base}/folder/a`, 'four');
    for (const path of ['folder', 'folder/a']) {
      assert.equal(storage.existsSync(`${base}/${path}`), true);
      assert.equal(await storage.exists(`${base}/${path}`), true);
    }
    const { size, mtime, mtimeMs } = storage.statSync(`${base}/folder/a`);
    assert.equal(size, 4);
    assert.equal(mtime.getTime(), Math.trunc(mtimeMs));
  },
  'lists files directly in a folder, by pattern'(storage, base) {
    for (const name of ['b.jsonl', 'a.jsonl', 'c.txt', '.b.jsonl.owner', 'sub.jsonl/inner.jsonl']) {
      storage.writeTextSync(`${base}/${name}`, '');
    }
    const list = (pattern: string): string[] => storage.listFilesSync(base, pattern).map((file) => file.slice(base.length + 1));
    assert.deepEqual(list('*.jsonl'), ['a.jsonl', 'b.jsonl']);
    assert.deepEqual(list('*'), ['a.jsonl', 'b.jsonl', 'c.txt']);
    assert.deepEqual(list('c.txt'), ['c.txt']);
    assert.deepEqual(list('.b.jsonl.owner'), ['.b.jsonl.owner']);
    assert.deepEqual(list('sub.jsonl'), []);
    assert.deepEqual(storage.listFilesSync(`${base}/none`, '*'), []);
  },
  async 'renames, replacing what is there'(storage, base) {
    storage.writeTextSync(`${base}/a`, 'one');
    storage.writeTextSync(`${base}/b`, 'two');
    await storage.rename(`${base}/a`, `${base}/b`);
    assert.equal(fileText(storage.disk, `${base}/b`), 'one');
    assert.equal(storage.existsSync(`${base}/a`), false);
    await failsWith('ENOENT', () => storage.rename(`${base}/a`, `${base}/c`));
  },
  async unlinks(storage, base) {
    storage.writeTextSync(`${base}/a`, 'one');
    await storage.unlink(`${base}/a`);
    await failsWith('ENOENT', () => storage.unlink(`${base}/a`));
  },
};

const APPENDING: Record<string, Test> = {
  async 'has a line in the file when append returns'(storage, base) {
    const writer = storage.openWriter(`${base}/folder/a`);
    assert.equal(fileText(storage.disk, `${base}/folder/a`), '');
    writer.append('one\n');
    assert.equal(fileText(storage.disk, `${base}/folder/a`), 'one\n');
    writer.append('two 你\n');
    writer.append(`${'三'.repeat(100_000)}\n`);
    assert.equal(fileText(storage.disk, `${base}/folder/a`), `one\ntwo 你\n${'三'.repeat(100_000)}\n`);
    assert.equal(storage.disk.statSync(`${base}/folder/a`).mode & 0o077, 0);
    await writer.flush();
    await writer.close();
  },
  async 'appends to what is there, or empties it first'(storage, base) {
    storage.writeTextSync(`${base}/a`, 'one\n');
    const writer = storage.openWriter(`${base}/a`, { flags: 'a' });
    writer.append('two\n');
    await writer.close();
    assert.equal(fileText(storage.disk, `${base}/a`), 'one\ntwo\n');
    const again = storage.openWriter(`${base}/a`, { flags: 'w' });
    again.append('three\n');
    await again.close();
    assert.equal(fileText(storage.disk, `${base}/a`), 'three\n');
  },
  async 'never continues the line of somebody else'(storage, base) {
    storage.writeTextSync(`${base}/a`, '{"torn');
    const writer = storage.openWriter(`${base}/a`);
    writer.append('{}\n');
    writer.append('[]\n');
    await writer.close();
    assert.equal(fileText(storage.disk, `${base}/a`), '{"torn\n{}\n[]\n');
  },
  async 'takes lines only, and none when it is closed'(storage, base) {
    const writer = storage.openWriter(`${base}/a`);
    await failsWith('invalid_argument', () => writer.append('no line feed'));
    await failsWith('invalid_argument', () => writer.append(''));
    writer.append('line\n');
    assert.equal(writer.isOpen(), true);
    await writer.close();
    await writer.close();
    assert.equal(writer.isOpen(), false);
    await failsWith('storage_closed', () => writer.append('line\n'));
    assert.equal(writer.getError(), undefined);
    assert.equal(fileText(storage.disk, `${base}/a`), 'line\n');
  },
  async 'follows the name where somebody replaces the file'(storage, base) {
    const writer = storage.openWriter(`${base}/a`);
    writer.append('one\n');
    await storage.writeTextAtomic(`${base}/a`, 'theirs');
    await pause();
    writer.append('two\n');
    await writer.close();
    assert.equal(fileText(storage.disk, `${base}/a`), 'theirs\ntwo\n');
  },
  async 'makes no second file where the first has gone, and keeps its first error'(storage, base) {
    const told: Error[] = [];
    const writer = storage.openWriter(`${base}/a`, { onError: (error) => told.push(error) });
    writer.append('one\n');
    await storage.unlink(`${base}/a`);
    await pause();
    await failsWith('ENOENT', () => writer.append('two\n'));
    await failsWith('ENOENT', () => writer.append('three\n'));
    await failsWith('ENOENT', () => writer.flush());
    await failsWith('ENOENT', () => writer.close());
    await failsWith('ENOENT', () => writer.close());
    assert.deepEqual(told, [writer.getError()]);
    assert.equal(storage.existsSync(`${base}/a`), false);
  },
};

const DELETING: Record<string, Test> = {
  async 'deletes a session with backups, copies and artifacts'(storage, base) {
    const mine = ['X.jsonl', 'X.jsonl.0123456789abcdef.bak', 'X.jsonl.before-01234567', '.X.jsonl.0123456789abcdef.tmp'];
    for (const name of [...mine, `X.jsonl.tail-${'0'.repeat(64)}`, 'X/1.bash.log', 'X/Agent1.jsonl', 'X/Agent1/deep/2.log']) {
      storage.writeTextSync(`${base}/${name}`, 'x');
    }
    await storage.deleteSessionWithArtifacts(`${base}/X.jsonl`);
    assert.deepEqual(namesIn(storage.disk, base), []);
  },
  async 'leaves what merely looks like it'(storage, base) {
    const others = [
      ...['X.jsonl.manual.bak', 'X.jsonl.copy.jsonl', 'X.jsonl.copy.jsonl.0123456789abcdef.bak', 'X2.jsonl', 'X.txt'],
      ...['X.jsonl.0123456789ABCDEF.bak', 'X.jsonl.before-1', 'X.jsonl.damaged-01234567', '.X.jsonl.tmp'],
    ];
    for (const name of [...others, 'X.jsonl']) storage.writeTextSync(`${base}/${name}`, 'x');
    await storage.deleteSessionWithArtifacts(`${base}/X.jsonl`);
    assert.deepEqual(namesIn(storage.disk, base), others.sort());
  },
  async 'deletes no folder of a file that is not named like a session'(storage, base) {
    for (const name of ['X', 'Y/inner', 'Z.jsonl', 'Z']) storage.writeTextSync(`${base}/${name}`, 'x');
    await storage.deleteSessionWithArtifacts(`${base}/X`);
    await storage.deleteSessionWithArtifacts(`${base}/Z.jsonl`);
    assert.deepEqual(namesIn(storage.disk, base), ['Y', 'Z']);
    await failsWith('ENOENT', () => storage.deleteSessionWithArtifacts(`${base}/Y.jsonl`));
    assert.deepEqual(namesIn(storage.disk, `${base}/Y`), ['inner']);
  },
};

/** Longer than a writer trusts what it saw. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 40));
}
