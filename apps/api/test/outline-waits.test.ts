import { countingObject } from '@stemma/core/testing';
import { describe, expect, it, vi } from 'vitest';

import { Outline } from '../src/schemas/index.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { chain } from './session-text.ts';

/** A session of so many entries, decoded, and what is done with it from now on. */
async function open(entries: number) {
  const test: TestApp = await buildTestApp({ files: { 'sessions/w/a.jsonl': chain('s1', entries) } });
  const base = `/api/sessions/${test.key('s1')}`;
  await test.answer(Outline, `${base}/outline?limit=1`);
  const reader = await test.services.sessions.use(test.key('s1'), async (session) => session.reader);
  const bodies = [vi.spyOn(reader, 'load'), vi.spyOn(reader, 'loadRaw'), vi.spyOn(reader, 'loadBytes')];
  /** Fields of the outline that are read for one answer. */
  const steps = async (query: string): Promise<number> => {
    const counted = countingObject(reader.outline);
    const spied = vi.spyOn(reader, 'outline', 'get').mockReturnValue(counted.value);
    await test.answer(Outline, `${base}/outline${query}`);
    spied.mockRestore();
    return counted.steps();
  };
  return { ...test, base, reader, steps, bodiesRead: () => bodies.reduce((sum, spy) => sum + spy.mock.calls.length, 0) };
}

describe('the outline answer', () => {
  it('takes steps for the rows that were asked for, however many there are', async () => {
    const small = await open(1_000);
    const large = await open(2_000);
    for (const query of ['?from=900&limit=100', '?limit=100']) {
      const steps = await large.steps(query);
      expect(steps).toBeGreaterThanOrEqual(100);
      expect([query, steps]).toEqual([query, await small.steps(query)]);
    }
    expect(await large.steps('')).toBeLessThan((await small.steps('')) * 2.1);
    expect([small.bodiesRead(), large.bodiesRead()]).toEqual([0, 0]);
  });

  it('waits neither for a body nor for counting, figures or blobs', async () => {
    const { services, reader, answer, base } = await open(500);
    const never = new Promise<never>(() => undefined);
    vi.spyOn(reader, 'load').mockReturnValue(never);
    vi.spyOn(reader, 'loadRaw').mockReturnValue(never);
    const blobs = vi.spyOn(services.blobs, 'problemsOf').mockImplementation(() => {
      throw new Error('asked for blobs');
    });
    const progress = vi.spyOn(services.counter, 'take').mockImplementation(() => {
      throw new Error('asked to count');
    });
    expect((await answer(Outline, `${base}/outline`)).columns.id).toHaveLength(500);
    expect([blobs.mock.calls.length, progress.mock.calls.length]).toEqual([0, 0]);
  });
});
