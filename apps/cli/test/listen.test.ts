import { describe, expect, it } from 'vitest';

import { listenFrom } from '../src/listen.ts';

const taken = () => Promise.reject(Object.assign(new Error('taken'), { code: 'EADDRINUSE' }));

/** A start function that finds these ports taken, and the ports it was asked for. */
function machine(isTaken: (port: number) => boolean) {
  const asked: number[] = [];
  const start = (port: number) => {
    asked.push(port);
    return isTaken(port) ? taken() : Promise.resolve(port);
  };
  return { asked, start };
}

describe('listenFrom', () => {
  it('takes the wanted port when it is free', async () => {
    const { asked, start } = machine(() => false);
    expect(await listenFrom(4317, start)).toBe(4317);
    expect(asked).toEqual([4317]);
  });

  it('moves on from a taken port', async () => {
    const { start } = machine((port) => port < 4320);
    expect(await listenFrom(4317, start)).toBe(4320);
  });

  it('gives up after twenty more', async () => {
    const { asked, start } = machine(() => true);
    await expect(listenFrom(4317, start)).rejects.toThrow('taken');
    expect(asked).toHaveLength(21);
  });

  it('does not go beyond the last port', async () => {
    const { asked, start } = machine(() => true);
    await expect(listenFrom(65_534, start)).rejects.toThrow('taken');
    expect(asked).toEqual([65_534, 65_535]);
  });

  it('passes other errors through', async () => {
    await expect(listenFrom(4317, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
