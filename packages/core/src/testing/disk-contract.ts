import assert from 'node:assert/strict';

import { diskCode, type Disk, type DiskFile, type OpenMode } from '../disk/disk.ts';
import { readSpan } from '../disk/disk.ts';

/** What a test library must offer; those of vitest, node:test and bun:test do. */
export interface TestKit {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
}

export interface DiskFixture {
  disk: Disk;
  /** An empty directory of the disk that the test may fill. */
  base: string;
  dispose(): void | Promise<void>;
}

type Test = (disk: Disk, base: string) => void | Promise<void>;

/** What every disk must do alike. `make` is called for each test. */
export function diskContract(kit: TestKit, name: string, make: () => DiskFixture | Promise<DiskFixture>): void {
  kit.describe(`Disk contract: ${name}`, () => {
    for (const [title, test] of Object.entries({ ...OPENING, ...BYTES, ...NAMES, ...STATS })) {
      kit.it(title, async () => {
        const { disk, base, dispose } = await make();
        try {
          await test(disk, base);
        } finally {
          await dispose();
        }
      });
    }
  });
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function write(disk: Disk, path: string, text: string, mode: OpenMode = 'create'): void {
  using(disk.openSync(path, mode), (file) => {
    const bytes = encode(text);
    assert.equal(file.writeSync(bytes, 0, bytes.length, mode === 'append' ? null : 0), bytes.length);
  });
}

function read(disk: Disk, path: string): string {
  return using(disk.openSync(path, 'read'), (file) => {
    const buffer = new Uint8Array(100);
    return new TextDecoder().decode(buffer.subarray(0, file.readSync(buffer, 0, buffer.length, 0)));
  });
}

function using<T>(file: DiskFile, work: (file: DiskFile) => T): T {
  try {
    return work(file);
  } finally {
    file.closeSync();
  }
}

/** The work fails with one of these codes. */
function fails(codes: string[], work: () => unknown): void {
  let code: string | null = null;
  try {
    work();
  } catch (error) {
    code = diskCode(error);
  }
  assert.ok(code !== null && codes.includes(code), `${String(code)} is none of ${codes.join(', ')}`);
}

async function rejects(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => diskCode(error) === code);
}

const OPENING: Record<string, Test> = {
  'opens for reading only what is there'(disk, base) {
    fails(['ENOENT'], () => disk.openSync(`${base}/none`, 'read'));
    fails(['ENOENT'], () => disk.openSync(`${base}/none`, 'readwrite'));
    fails(['ENOENT'], () => disk.openSync(`${base}/no/folder`, 'create'));
  },
  'creates only what is not there'(disk, base) {
    write(disk, `${base}/a`, 'one');
    fails(['EEXIST'], () => disk.openSync(`${base}/a`, 'create'));
    assert.equal(read(disk, `${base}/a`), 'one');
  },
  'opens without following links, and says what is missing'(disk, base) {
    fails(['ENOENT'], () => disk.openNoFollowSync(`${base}/none`));
    write(disk, `${base}/a`, 'one');
    using(disk.openNoFollowSync(`${base}/a`), (file) => assert.equal(file.statSync().size, 3));
    return rejects('ENOENT', disk.openNoFollow(`${base}/none`));
  },
  'opens for appending only what is there, where it is told so'(disk, base) {
    fails(['ENOENT'], () => disk.openSync(`${base}/none`, 'append-existing'));
    write(disk, `${base}/a`, 'one');
    const file = disk.openSync(`${base}/a`, 'append-existing');
    file.writeSync(encode('two'), 0, 3, null);
    file.closeSync();
    assert.equal(read(disk, `${base}/a`), 'onetwo');
  },
  'creates files and folders with the permissions that it is told'(disk, base) {
    disk.mkdirSync(`${base}/inner/most`, 0o700);
    disk.openSync(`${base}/a`, 'create', 0o600).closeSync();
    disk.openSync(`${base}/b`, 'append', 0o640).closeSync();
    const mode = (path: string): number => disk.statSync(path).mode & 0o777;
    // Windows knows only whether a file may be written.
    if (process.platform === 'win32') return;
    assert.deepEqual(
      [mode(`${base}/inner`), mode(`${base}/inner/most`), mode(`${base}/a`), mode(`${base}/b`) & 0o700],
      [0o700, 0o700, 0o600, 0o600],
    );
    using(disk.openSync(`${base}/a`, 'readwrite'), (file) => file.setAccessSync({ ...file.statSync(), mode: 0o644 }));
    assert.equal(mode(`${base}/a`), 0o644);
  },
  'gives a file another time'(disk, base) {
    write(disk, `${base}/a`, 'one');
    const time = Date.UTC(2020, 1, 3, 4, 5, 6);
    using(disk.openSync(`${base}/a`, 'readwrite'), (file) => file.setTimeSync(time));
    assert.equal(disk.statSync(`${base}/a`).mtimeMs, time);
    assert.equal(read(disk, `${base}/a`), 'one');
  },
  async 'refuses what the mode does not allow'(disk, base) {
    write(disk, `${base}/a`, 'one');
    using(disk.openSync(`${base}/a`, 'read'), (file) => fails(['EBADF'], () => file.writeSync(encode('x'), 0, 1, 0)));
    const file = await disk.openNoFollow(`${base}/a`);
    file.closeSync();
    await rejects('EBADF', file.read(new Uint8Array(1), 0, 1, 0));
  },
};

const BYTES: Record<string, Test> = {
  async 'reads back what was written, fewer bytes at the end, none behind it'(disk, base) {
    write(disk, `${base}/a`, 'hello world');
    const file = await disk.openNoFollow(`${base}/a`);
    const buffer = new Uint8Array(8);
    assert.equal(await file.read(buffer, 1, 4, 6), 4);
    assert.equal(new TextDecoder().decode(buffer.subarray(1, 5)), 'worl');
    assert.equal(await file.read(buffer, 0, 8, 9), 2);
    assert.equal(await file.read(buffer, 0, 8, 11), 0);
    assert.equal(await file.read(buffer, 0, 8, 50), 0);
    assert.equal(new TextDecoder().decode(await readSpan(file, 6, 100)), 'world');
    file.closeSync();
  },
  'appends at the end, whoever else appends'(disk, base) {
    const one = disk.openSync(`${base}/a`, 'append');
    const two = disk.openSync(`${base}/a`, 'append');
    for (const [file, text] of [
      [one, 'a'],
      [two, 'bb'],
      [one, 'c'],
    ] as const)
      file.writeSync(encode(text), 0, text.length, null);
    one.closeSync();
    two.closeSync();
    assert.equal(read(disk, `${base}/a`), 'abbc');
  },
  'writes in place'(disk, base) {
    write(disk, `${base}/a`, 'abcdef');
    using(disk.openSync(`${base}/a`, 'readwrite'), (file) => file.writeSync(encode('--XY'), 2, 2, 1));
    assert.equal(read(disk, `${base}/a`), 'aXYdef');
  },
  'fills what lies between the end and a later write with zeros'(disk, base) {
    using(disk.openSync(`${base}/a`, 'create'), (file) => file.writeSync(encode('x'), 0, 1, 3));
    assert.equal(read(disk, `${base}/a`), '\0\0\0x');
  },
  'truncates, and grows with zeros'(disk, base) {
    write(disk, `${base}/a`, 'abcdef');
    using(disk.openSync(`${base}/a`, 'readwrite'), (file) => {
      file.truncateSync(2);
      assert.equal(file.statSync().size, 2);
      file.truncateSync(4);
      file.syncSync();
    });
    assert.equal(read(disk, `${base}/a`), 'ab\0\0');
  },
  'keeps an open file readable after it was replaced or removed'(disk, base) {
    write(disk, `${base}/a`, 'old');
    write(disk, `${base}/b`, 'new');
    using(disk.openSync(`${base}/a`, 'read'), (file) => {
      const before = file.statSync().ino;
      disk.renameSync(`${base}/b`, `${base}/a`);
      const buffer = new Uint8Array(3);
      assert.equal(file.readSync(buffer, 0, 3, 0), 3);
      assert.equal(new TextDecoder().decode(buffer), 'old');
      assert.equal(file.statSync().ino, before);
      assert.notEqual(disk.statSync(`${base}/a`).ino, before);
    });
    assert.equal(read(disk, `${base}/a`), 'new');
    using(disk.openSync(`${base}/a`, 'read'), (file) => {
      disk.unlinkSync(`${base}/a`);
      assert.equal(file.readSync(new Uint8Array(3), 0, 3, 0), 3);
    });
  },
};

const NAMES: Record<string, Test> = {
  async 'lists names with their kinds'(disk, base) {
    disk.mkdirSync(`${base}/folder/inner`);
    write(disk, `${base}/file 名.jsonl`, 'x');
    const sorted = (entries: { name: string; kind: string }[]): string[] => entries.map((e) => `${e.name} ${e.kind}`).sort();
    assert.deepEqual(sorted(disk.readdirSync(base)), ['file 名.jsonl file', 'folder directory']);
    assert.deepEqual(sorted(await disk.readdir(`${base}/folder`)), ['inner directory']);
    await rejects('ENOENT', disk.readdir(`${base}/none`));
    await rejects('ENOTDIR', disk.readdir(`${base}/file 名.jsonl`));
  },
  'makes folders with those above them, and again without complaint'(disk, base) {
    disk.mkdirSync(`${base}/a/b/c`);
    disk.mkdirSync(`${base}/a/b/c`);
    assert.equal(disk.statSync(`${base}/a/b/c`).kind, 'directory');
    write(disk, `${base}/a/file`, 'x');
    fails(['EEXIST', 'ENOTDIR'], () => disk.mkdirSync(`${base}/a/file`));
    disk.syncDirectorySync(`${base}/a`);
  },
  'renames files and folders, replacing a file'(disk, base) {
    write(disk, `${base}/a`, 'one');
    write(disk, `${base}/b`, 'two');
    disk.renameSync(`${base}/a`, `${base}/b`);
    assert.equal(read(disk, `${base}/b`), 'one');
    fails(['ENOENT'], () => disk.renameSync(`${base}/a`, `${base}/c`));
    disk.mkdirSync(`${base}/from/inner`);
    disk.renameSync(`${base}/from`, `${base}/to`);
    assert.equal(disk.statSync(`${base}/to/inner`).kind, 'directory');
    fails(['ENOENT'], () => disk.statSync(`${base}/from`));
  },
  'refuses to rename onto a folder'(disk, base) {
    write(disk, `${base}/a`, 'one');
    disk.mkdirSync(`${base}/empty`);
    disk.mkdirSync(`${base}/full/inner`);
    disk.mkdirSync(`${base}/other`);
    fails(['EISDIR', 'EPERM', 'EEXIST'], () => disk.renameSync(`${base}/a`, `${base}/empty`));
    fails(['ENOTEMPTY', 'EEXIST', 'EPERM'], () => disk.renameSync(`${base}/other`, `${base}/full`));
    assert.equal(read(disk, `${base}/a`), 'one');
  },
  'links a file under a second name'(disk, base) {
    write(disk, `${base}/a`, 'one');
    disk.linkSync(`${base}/a`, `${base}/b`);
    assert.equal(disk.statSync(`${base}/a`).ino, disk.statSync(`${base}/b`).ino);
    fails(['EEXIST'], () => disk.linkSync(`${base}/a`, `${base}/b`));
    fails(['ENOENT'], () => disk.linkSync(`${base}/none`, `${base}/c`));
    disk.unlinkSync(`${base}/a`);
    assert.equal(read(disk, `${base}/b`), 'one');
  },
  'removes files and empty folders only'(disk, base) {
    write(disk, `${base}/a`, 'one');
    disk.mkdirSync(`${base}/folder/inner`);
    fails(['ENOENT'], () => disk.unlinkSync(`${base}/none`));
    fails(['EISDIR', 'EPERM', 'EACCES'], () => disk.unlinkSync(`${base}/folder`));
    fails(['ENOTEMPTY', 'EEXIST'], () => disk.rmdirSync(`${base}/folder`));
    disk.rmdirSync(`${base}/folder/inner`);
    disk.rmdirSync(`${base}/folder`);
    fails(['ENOENT'], () => disk.rmdirSync(`${base}/folder`));
    disk.unlinkSync(`${base}/a`);
    assert.deepEqual(disk.readdirSync(base), []);
  },
  async 'resolves a path to its plain form'(disk, base) {
    write(disk, `${base}/a`, 'one');
    assert.equal(await disk.realpath(`${base}/./a`), `${base}/a`);
    await rejects('ENOENT', disk.realpath(`${base}/none`));
    assert.equal(disk.realpathSync(`${base}/./a`), `${base}/a`);
    fails(['ENOENT'], () => disk.realpathSync(`${base}/none`));
  },
};

const STATS: Record<string, Test> = {
  async 'says the same of a file by path and by handle'(disk, base) {
    write(disk, `${base}/a`, 'four');
    const byPath = await disk.stat(`${base}/a`);
    assert.equal(byPath.kind, 'file');
    assert.equal(byPath.size, 4);
    assert.deepEqual(await disk.lstat(`${base}/a`), byPath);
    assert.deepEqual(disk.lstatSync(`${base}/a`), byPath);
    assert.deepEqual(disk.statSync(`${base}/a`), byPath);
    using(disk.openSync(`${base}/a`, 'read'), (file) => assert.deepEqual(file.statSync(), byPath));
    assert.equal(Math.floor(byPath.mtimeMs), Number(byPath.mtimeNs / 1_000_000n));
    await rejects('ENOENT', disk.stat(`${base}/none`));
    await rejects('ENOENT', disk.lstat(`${base}/none`));
  },
  'keeps the identity of a file that grows, and its time never goes back'(disk, base) {
    write(disk, `${base}/a`, 'one');
    const before = disk.statSync(`${base}/a`);
    write(disk, `${base}/a`, 'two', 'append');
    const after = disk.statSync(`${base}/a`);
    assert.deepEqual([after.dev, after.ino, after.size], [before.dev, before.ino, 6]);
    assert.ok(after.mtimeNs >= before.mtimeNs);
  },
  'changes nothing by reading'(disk, base) {
    write(disk, `${base}/a`, 'one');
    const before = [disk.statSync(`${base}/a`), disk.statSync(base).mtimeNs];
    read(disk, `${base}/a`);
    disk.readdirSync(base);
    assert.deepEqual([disk.statSync(`${base}/a`), disk.statSync(base).mtimeNs], before);
  },
};
