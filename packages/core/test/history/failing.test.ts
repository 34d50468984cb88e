import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { databasePath, openHistory, prompts } from './databases.ts';

/** A history whose folder cannot be made, since a file stands there, until `repair` is called. */
function blocked() {
  const folder = path.join(path.dirname(databasePath()), 'agent');
  writeFileSync(folder, 'in the way');
  const errors: unknown[] = [];
  const logger = { warn: () => undefined, error: (_: string, data: unknown) => errors.push(data) };
  const at = path.join(folder, 'history.db');
  const history = openHistory(at, { logger });
  const repair = (): void => {
    rmSync(folder);
    mkdirSync(folder);
  };
  return { at, history, errors, repair };
}

describe('a prompt that cannot be written', () => {
  it('rejects, is kept, and is written when the cause is gone', async () => {
    const { history, repair } = blocked();
    await expect(history.add('first')).rejects.toMatchObject({ code: 'storage_io', data: { errno: 'EEXIST' } });
    await expect(history.add('second')).rejects.toMatchObject({ code: 'storage_io' });
    await expect(history.flush()).rejects.toMatchObject({ code: 'storage_io' });
    repair();
    await history.flush();
    expect(prompts(history.getRecent(10))).toEqual(['second', 'first']);
  });

  it('is written with the next one that can be', async () => {
    const { history, repair } = blocked();
    await expect(history.add('first')).rejects.toMatchObject({ code: 'storage_io' });
    repair();
    await history.add('second');
    expect(prompts(history.getRecent(10))).toEqual(['second', 'first']);
  });

  it('is logged once, with the file', async () => {
    const { at, history, errors } = blocked();
    for (const prompt of ['first', 'second']) await history.add(prompt).catch(() => undefined);
    expect(errors).toEqual([{ path: at, errno: 'EEXIST' }]);
  });

  it('does not end the process when nobody waits for it', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const { history } = blocked();
    void history.add('first');
    await history.flush().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  it('is told by close, which closes all the same', async () => {
    const { history } = blocked();
    void history.add('first');
    await expect(history.close()).rejects.toMatchObject({ code: 'storage_io' });
    await history.close();
    await expect(history.add('second')).rejects.toMatchObject({ code: 'storage_closed' });
  });
});
