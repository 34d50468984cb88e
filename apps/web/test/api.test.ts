import { afterEach, describe, expect, it, vi } from 'vitest';

import { address, api } from '../src/lib/api/client.ts';
import { ApiError, isAbort } from '../src/lib/api/errors.ts';

function answer(body: string, init: ResponseInit = {}): ReturnType<typeof vi.fn<typeof fetch>> {
  const stub = vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, init)));
  vi.stubGlobal('fetch', stub);
  return stub;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error,
  );

afterEach(() => vi.unstubAllGlobals());

describe('addresses', () => {
  it('leaves out what is undefined and keeps 0 and the empty text', () => {
    expect(address('/sessions', { q: undefined, from: 0, label: '' })).toBe('/api/sessions?from=0&label=');
    expect(address('/roots')).toBe('/api/roots');
  });

  it('encodes keys, entry ids and query values', async () => {
    const stub = answer('{}');
    await api.entry('pi-1~a/b', '../x?#1');
    await api.image('k', 'e', 2);
    await api.transcript('k', { around: 'a&b', leaf: undefined });
    expect(stub.mock.calls.map(([url]) => url)).toEqual([
      '/api/sessions/pi-1~a%2Fb/entries/..%2Fx%3F%231',
      '/api/sessions/k/entries/e/images/2',
      '/api/sessions/k/transcript?around=a%26b',
    ]);
  });
});

describe('failures', () => {
  it('carry code, status and details of the server', async () => {
    const details = { movedTo: 'pi-1~c' };
    answer(JSON.stringify({ error: { code: 'session_not_found', message: 'gone', details } }), { status: 404 });
    const error = await failure(api.session('k'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'session_not_found', status: 404, message: 'gone', details });
  });

  it.each([
    ['a page of a proxy', '<html>'],
    ['JSON of another form', '{"message":"x"}'],
    ['null', 'null'],
  ])('are bad_answer for %s', async (_name, body) => {
    answer(body, { status: 502 });
    expect(await failure(api.health())).toMatchObject({ code: 'bad_answer', status: 502 });
  });

  it('are bad_answer when a good status comes with text', async () => {
    answer('<html>');
    expect(await failure(api.health())).toMatchObject({ code: 'bad_answer', status: 200 });
  });

  it('are unreachable without an answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(api.health())).toMatchObject({ code: 'unreachable', status: 0 });
  });

  it('stay an abort when the caller aborts', async () => {
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => Promise.reject(init.signal?.reason as Error));
    const error = await failure(api.health(AbortSignal.abort()));
    expect(isAbort(error)).toBe(true);
  });
});
