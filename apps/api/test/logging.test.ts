import { expect, it, onTestFinished, vi } from 'vitest';

import { startServer } from '../src/index.ts';

it('writes nothing by default, and with a logger no query and no name of a session', async () => {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  const ask = async (logger: boolean): Promise<string> => {
    written.length = 0;
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      roots: [],
      looked: [],
      demo: false,
      webRoot: '/nowhere',
      logger,
    });
    await fetch(`${server.url}/api/sessions?q=private-words`);
    await fetch(`${server.url}/api/sessions?limit=private-limit`);
    await fetch(`${server.url}/nowhere?private-page`);
    await server.close();
    return written.join('');
  };
  expect(await ask(false)).toBe('');
  const log = await ask(true);
  expect(log).toContain('/api/sessions');
  expect(log).not.toContain('private');
});
