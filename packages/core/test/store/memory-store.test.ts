import { describe, expect, it } from 'vitest';

import { MemorySessionStore } from '../../src/store/memory-store.ts';

const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/home/ann/app' } as const;

describe('MemorySessionStore', () => {
  it('keeps what is stored, not the objects', async () => {
    const store = new MemorySessionStore();
    const handle = store.create({ ...header });
    const data = `${'A'.repeat(2000)}`;
    const message = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data }] };
    const entry = { type: 'message', id: 'e1', parentId: null, timestamp: '', message };
    handle.appendSync([{ value: entry as never }]);
    const text = new TextDecoder().decode(store.bytesOf('s1'));
    expect(text).toContain('blob:sha256:');
    expect(text).not.toContain(data);
    await handle.close();
    expect(store.openSync('s1', 'read').readSync()[1]?.value).toEqual(entry);
  });

  it('knows no places', () => {
    const store = new MemorySessionStore();
    expect(() => store.create({ ...header }, { path: '/x.jsonl' })).toThrowError(
      expect.objectContaining({ code: 'unsupported' }),
    );
    expect(() => store.openSync({ path: '/x.jsonl' }, 'read')).toThrowError(
      expect.objectContaining({ code: 'session_not_found' }),
    );
  });
});
