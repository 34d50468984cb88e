import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FaultDisk } from '../../src/disk/fault-disk.ts';
import { MemoryDisk } from '../../src/disk/memory-disk.ts';
import { DiskSessionStorage } from '../../src/storage/disk-storage.ts';
import { FileSessionStorage } from '../../src/storage/storages.ts';
import { failsWith } from '../../src/testing/disk-files.ts';
import { onDisk } from './fixtures.ts';

function folder(): string {
  const { base, dispose } = onDisk();
  onTestFinished(dispose);
  return base;
}

describe.skipIf(process.platform === 'win32')('on POSIX', () => {
  it('a replaced file keeps permissions that the mask of the process would take away', async () => {
    const base = folder();
    writeFileSync(path.join(base, 'a'), 'old');
    chmodSync(path.join(base, 'a'), 0o664);
    await new FileSessionStorage().writeTextAtomic(path.join(base, 'a'), 'new');
    expect(statSync(path.join(base, 'a')).mode & 0o777).toBe(0o664);
  });

  it('replaces what a link leads to, not the link', async () => {
    const base = folder();
    mkdirSync(path.join(base, 'elsewhere'));
    writeFileSync(path.join(base, 'elsewhere', 'real'), 'old');
    symlinkSync('elsewhere/real', path.join(base, 'a'));
    await new FileSessionStorage().writeTextAtomic(path.join(base, 'a'), 'new');
    expect(readlinkSync(path.join(base, 'a'))).toBe('elsewhere/real');
    expect(readFileSync(path.join(base, 'elsewhere', 'real'), 'utf8')).toBe('new');
    expect(readdirSync(path.join(base, 'elsewhere'))).toEqual(['real']);
  });

  it('deletes links in a folder of artifacts, and not what they lead to', async () => {
    const base = folder();
    mkdirSync(path.join(base, 'elsewhere'));
    writeFileSync(path.join(base, 'elsewhere', 'precious'), 'x');
    writeFileSync(path.join(base, 'a.jsonl'), 'x');
    mkdirSync(path.join(base, 'a'));
    symlinkSync('../elsewhere', path.join(base, 'a', 'link'));
    await new FileSessionStorage().deleteSessionWithArtifacts(path.join(base, 'a.jsonl'));
    expect(readdirSync(base)).toEqual(['elsewhere']);
    writeFileSync(path.join(base, 'b.jsonl'), 'x');
    symlinkSync('elsewhere', path.join(base, 'b'));
    await new FileSessionStorage().deleteSessionWithArtifacts(path.join(base, 'b.jsonl'));
    expect(readdirSync(base)).toEqual(['elsewhere']);
    expect(readdirSync(path.join(base, 'elsewhere'))).toEqual(['precious']);
  });

  it('lists links to files', () => {
    const base = folder();
    writeFileSync(path.join(base, 'a.jsonl'), 'x');
    symlinkSync('a.jsonl', path.join(base, 'link.jsonl'));
    symlinkSync('nothing', path.join(base, 'dangling.jsonl'));
    symlinkSync('.', path.join(base, 'folder.jsonl'));
    const found = new FileSessionStorage().listFilesSync(base, '*.jsonl');
    expect(found.map((file) => path.basename(file))).toEqual(['a.jsonl', 'link.jsonl']);
  });
});

it('replaces a file whose name is as long as names can be', async () => {
  const base = folder();
  const file = path.join(base, `${'n'.repeat(240)}.jsonl`);
  const storage = new FileSessionStorage();
  await storage.writeTextAtomic(file, 'one');
  await storage.writeTextAtomic(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(base)).toHaveLength(1);
  expect(lstatSync(file).isFile()).toBe(true);
});

it('names the folder of artifacts that cannot be removed; the session is gone', async () => {
  const memory = new MemoryDisk();
  for (const file of ['/s/a.jsonl', '/s/a/deep/1.log']) memory.writeFile(file, new Uint8Array(1));
  const stuck = new FaultDisk(memory, (operation, at) =>
    operation === 'unlink' && at.endsWith('.log') ? { error: 'EACCES' } : null,
  );
  const deleting = new DiskSessionStorage(stuck).deleteSessionWithArtifacts('/s/a.jsonl');
  await expect(deleting).rejects.toThrow(/'\/s\/a'/);
  await failsWith('EACCES', () => deleting);
  expect(memory.readdirSync('/s').map(({ name }) => name)).toEqual(['a']);
});
