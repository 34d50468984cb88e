import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { SessionManager } from '../../src/index.ts';
import { temporaryFolder } from '../store/node-fixture.ts';

it('a log of DeepSeek Harness is never written to, whatever the name of its file', () => {
  const folder = temporaryFolder();
  const log =
    '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}\n';
  for (const name of ['session.jsonl', '2026_s.jsonl']) {
    const at = path.join(folder, name.replace('.jsonl', ''), name);
    mkdirSync(path.dirname(at));
    writeFileSync(at, log);
    expect(() => SessionManager.open(at)).toThrow(expect.objectContaining({ code: 'unsupported' }) as Error);
    expect(readFileSync(at, 'utf8')).toBe(log);
    expect(readdirSync(path.dirname(at))).toEqual([name]);
  }
});
