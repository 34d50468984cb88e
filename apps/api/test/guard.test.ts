import { describe, expect, it } from 'vitest';

import { authoritiesOf, refusal, URL_LIMIT } from '../src/http/guard.ts';

const OWN = authoritiesOf(4317);

function ask(headers: readonly [string, string][], url = '/api/health', method = 'GET', isApi = true): string | null {
  return refusal({ method, url, rawHeaders: headers.flat() }, OWN, isApi)?.code ?? null;
}

describe('the Host header', () => {
  it.each(['127.0.0.1:4317', 'localhost:4317', '[::1]:4317', 'LOCALHOST:4317'])('accepts %s', (host) => {
    expect(ask([['Host', host]])).toBeNull();
  });

  it.each([
    'evil.com',
    '127.0.0.1',
    '127.0.0.1:4318',
    '127.0.0.1:43170',
    '127.0.0.1.evil.com:4317',
    'localhost.:4317',
    'evil.com:4317',
    '127.0.0.1:4317,evil.com',
    '127.0.0.1:4317@evil.com',
    '127.1:4317',
    '',
  ])('refuses %j', (host) => {
    expect(ask([['Host', host]])).toBe('forbidden_host');
  });

  it('refuses none and two', () => {
    expect(ask([])).toBe('forbidden_host');
    expect(
      ask([
        ['Host', '127.0.0.1:4317'],
        ['host', '127.0.0.1:4317'],
      ]),
    ).toBe('forbidden_host');
  });

  it('may leave out the port on port 80 only', () => {
    const at80 = (host: string) => refusal({ method: 'GET', url: '/', rawHeaders: ['Host', host] }, authoritiesOf(80), false);
    expect(at80('localhost')).toBeNull();
    expect(at80('localhost:80')).toBeNull();
    expect(at80('localhost:4317')?.code).toBe('forbidden_host');
  });

  it('says what to open instead', () => {
    const refused = refusal({ method: 'GET', url: '/', rawHeaders: ['Host', 'evil.com'] }, OWN, false);
    expect(refused?.message).toContain('http://127.0.0.1:4317');
  });
});

describe('where a request comes from', () => {
  const host: [string, string] = ['Host', '127.0.0.1:4317'];

  it('lets itself, the address bar and programs in', () => {
    expect(ask([host, ['Sec-Fetch-Site', 'same-origin']])).toBeNull();
    expect(ask([host, ['Sec-Fetch-Site', 'none']])).toBeNull();
    expect(ask([host])).toBeNull();
  });

  it.each(['cross-site', 'same-site', 'anything'])('keeps %s out of the API, even as a navigation', (site) => {
    expect(ask([host, ['Sec-Fetch-Site', site]])).toBe('forbidden_site');
    expect(ask([host, ['Sec-Fetch-Site', site], ['Sec-Fetch-Dest', 'document']])).toBe('forbidden_site');
  });

  it('lets other sites link to a page, but not load parts of it', () => {
    const from = (dest: string) => ask([host, ['Sec-Fetch-Site', 'cross-site'], ['Sec-Fetch-Dest', dest]], '/s/x', 'GET', false);
    expect(from('document')).toBeNull();
    expect(from('iframe')).toBe('forbidden_site');
    expect(from('script')).toBe('forbidden_site');
    expect(from('image')).toBe('forbidden_site');
  });
});

describe('what is asked', () => {
  const host: [string, string][] = [['Host', 'localhost:4317']];

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('refuses %s', (method) => {
    expect(ask(host, '/api/health', method)).toBe('method_not_allowed');
  });

  it('refuses long addresses and targets that are no paths', () => {
    expect(ask(host, `/${'a'.repeat(URL_LIMIT)}`)).toBe('uri_too_long');
    expect(ask(host, 'http://127.0.0.1:4317/api/health')).toBe('bad_request');
    expect(ask(host, '*')).toBe('bad_request');
  });
});
