import { describe, expect, it } from 'vitest';

import { Context, Outline, SessionDetail, Transcript } from '../src/schemas/index.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { chain, header, text, user } from './session-text.ts';

async function open(file: string): Promise<TestApp & { base: string }> {
  const test = await buildTestApp({ files: { 'sessions/w/a.jsonl': file } });
  return { ...test, base: `/api/sessions/${test.key('s1')}` };
}

/** How deep arrays and objects stand in one another. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (inText) {
      if (char === '\\') i++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}

describe('a chain of 60,000 entries', () => {
  it('has flat answers everywhere', async () => {
    const { get, answer, base } = await open(chain('s1', 60_000));
    const first = await answer(Outline, `${base}/outline`);
    expect(first).toMatchObject({ from: 0, total: 60_000, complete: true, leafId: 'e59999' });
    expect(first.columns.id).toHaveLength(50_000);
    const rest = await answer(Outline, `${base}/outline?from=50000&epoch=${first.epoch}`);
    expect(rest.columns.parent.at(-1)).toBe(59_998);
    expect((await answer(SessionDetail, base)).summary).toMatchObject({ entryCount: 60_000, branchCount: 1 });
    const context = await answer(Context, `${base}/context`);
    expect(context.messages).toHaveLength(60_000);
    expect(context.lens).toEqual([[0, 60_000, 0]]);
    expect((await answer(Transcript, `${base}/transcript`)).covers).toHaveLength(60);
    for (const part of ['', '/outline', '/transcript', '/context', '/compactions']) {
      expect([part, depthOf((await get(base + part)).body) < 12]).toEqual([part, true]);
    }
  });
});

it('a fan of 20,000 branches has flat answers, too', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => user(`b${i}`, 'a', `branch ${i}`, i + 2));
  const { answer, base } = await open(text(header('s1'), user('a', null, 'root'), ...lines));
  const { summary } = await answer(SessionDetail, base);
  expect(summary.branchCount).toBe(20_000);
  expect(summary.shape!.lanes.length + summary.shape!.more).toBeLessThanOrEqual(20_001);
  expect(summary.shape!.lanes.length).toBeLessThan(200);
  expect((await answer(Context, `${base}/context?leaf=b5`)).counts).toMatchObject({ sent: 2, otherBranch: 19_999 });
});
