import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it, vi } from 'vitest';

import { HistoryStorage } from '../../src/history/index.ts';
import { databasePath, openHistory } from './databases.ts';

/** As the native module is where it could not be compiled. */
vi.mock('better-sqlite3', () => ({
  default: function Database() {
    throw new Error('Could not locate the bindings file.');
  },
}));

it('a history says that it needs SQLite, and leaves the file', async () => {
  const at = databasePath();
  const sample = readFileSync(path.join(import.meta.dirname, 'samples/oh-my-pi-18.2.3/history.db'));
  writeFileSync(at, sample);
  expect(() => HistoryStorage.open(at)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  expect(readFileSync(at)).toEqual(sample);
  await expect(openHistory(databasePath()).add('hello')).rejects.toMatchObject({ code: 'unsupported' });
});
