import { MemoryDisk, openRoot, type DiskFile } from '@stemma/core';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

import { buildApp } from '../src/app.ts';
import { createServices } from '../src/create-services.ts';
import { authoritiesOf } from '../src/http/guard.ts';
import { Outline, SessionDetail, SessionsPage } from '../src/schemas/index.ts';
import { conforming } from './build-test-app.ts';
import { chain } from './session-text.ts';

const MIB = 1024 * 1024;

/** A disk on which reading beyond the first megabyte waits until it is let go. */
class SlowDisk extends MemoryDisk {
  readonly #gate: Promise<void>;
  release!: () => void;
  closed = 0;

  constructor() {
    super();
    this.#gate = new Promise((resolve) => (this.release = resolve));
  }

  override async openNoFollow(path: string): Promise<DiskFile> {
    const file = await super.openNoFollow(path);
    const gate = this.#gate;
    return {
      read: async (buffer, offset, length, position) => {
        if (position >= MIB && length > 64 * 1024) await gate;
        return file.read(buffer, offset, length, position);
      },
      readSync: (...args) => file.readSync(...args),
      writeSync: (...args) => file.writeSync(...args),
      syncSync: () => file.syncSync(),
      truncateSync: (size) => file.truncateSync(size),
      setAccessSync: (access) => file.setAccessSync(access),
      setTimeSync: (mtimeMs) => file.setTimeSync(mtimeMs),
      statSync: () => file.statSync(),
      closeSync: () => {
        this.closed++;
        file.closeSync();
      },
    };
  }
}

async function setUp() {
  const disk = new SlowDisk();
  disk.writeFile('/r/a.jsonl', new TextEncoder().encode(chain('s1', 16_000)));
  const root = await openRoot({ path: '/r' }, disk);
  const services = createServices({
    roots: [{ root, demo: false, home: '' }],
    looked: [],
    demo: false,
    version: '0',
    onError: () => undefined,
  });
  const app = await buildApp({ services, authorities: () => authoritiesOf(80), webRoot: '/nowhere' });
  onTestFinished(async () => {
    disk.release();
    services.close();
    await app.close();
  });
  await services.library.scan();
  const get = (url: string) => app.inject({ url, headers: { host: 'localhost' } });
  const { items } = conforming(SessionsPage, (await get('/api/sessions')).json());
  return { disk, services, app, get, base: `/api/sessions/${items[0]!.key}`, row: items[0]! };
}

describe('while a session is being decoded', () => {
  it('the outline answers the rows known so far, then the rest', async () => {
    const { disk, get, base } = await setUp();
    const response = await get(`${base}/outline`);
    const part = conforming(Outline, response.json());
    expect(part).toMatchObject({ complete: false, leafId: null, from: 0 });
    expect(part.columns.id.length).toBe(part.total);
    expect(part.total).toBeGreaterThan(1_000);
    expect(part.total).toBeLessThan(16_000);
    expect(part.progress.bytes).toBe(MIB);
    expect(part.progress.totalBytes).toBeGreaterThan(2 * MIB);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(response.headers['etag']).toBeUndefined();

    disk.release();
    const rest = conforming(Outline, (await get(`${base}/outline?from=${part.total}&epoch=${part.epoch}`)).json());
    expect(rest).toMatchObject({ complete: true, leafId: 'e15999', from: part.total, epoch: part.epoch });
    expect([...part.columns.id, ...rest.columns.id]).toEqual(Array.from({ length: 16_000 }, (_, i) => `e${i}`));
  });

  it('other questions wait for the end', async () => {
    const { disk, get, base } = await setUp();
    let answered = false;
    const asking = get(base).then((response) => {
      answered = true;
      return response;
    });
    await delay(200);
    expect(answered).toBe(false);
    disk.release();
    expect(conforming(SessionDetail, (await asking).json()).summary.entryCount).toBe(16_000);
  });

  it('the list shows what slices tell, and no counts', async () => {
    const { row } = await setUp();
    expect(row).toMatchObject({
      id: 's1',
      firstPrompt: 'prompt 0',
      entryCount: null,
      branchCount: null,
      labelCount: null,
      shape: null,
      problemCount: null,
    });
  });

  it('a client that goes away is not waited for', async () => {
    const { app, services, base } = await setUp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const [address] = app.addresses();
    const { port } = address as { port: number };
    const { request } = await import('node:http');
    const asking = request({ port, host: '127.0.0.1', path: base, headers: { host: 'localhost' } });
    asking.on('error', () => undefined).end();
    for (let i = 0; i < 100 && services.sessions.foreground === 0; i++) await delay(10);
    expect(services.sessions.foreground).toBe(1);
    asking.destroy();
    for (let i = 0; i < 100 && services.sessions.foreground > 0; i++) await delay(10);
    expect(services.sessions.foreground).toBe(0);
  });

  it('closing the server stops it and lets go of the file', async () => {
    const { disk, services, get, base } = await setUp();
    await get(`${base}/outline`);
    const before = disk.closed;
    services.close();
    disk.release();
    for (let i = 0; i < 100 && disk.closed === before; i++) await delay(10);
    expect(disk.closed).toBe(before + 1);
  });
});
