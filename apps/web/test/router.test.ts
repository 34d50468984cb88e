import { beforeEach, describe, expect, it } from 'vitest';

import { link, matchRoute, navigate, patchQuery, router, sessionAddress } from '../src/router.svelte.ts';

describe('pages', () => {
  it('are the library and the sessions', () => {
    expect(matchRoute('/')).toEqual({ name: 'library' });
    expect(matchRoute('/s/pi-1~ab')).toEqual({ name: 'session', params: { key: 'pi-1~ab' } });
    expect(matchRoute('/s/a%2Fb%20c/')).toEqual({ name: 'session', params: { key: 'a/b c' } });
  });

  it.each(['/search', '/settings', '/s', '/s/', '/s/a/b', '/s/%E0%A4%A', '//'])('%s is nothing', (path) => {
    expect(matchRoute(path)).toEqual({ name: 'nothing', path });
  });

  it('come back from the address that is written for them', () => {
    const key = 'pi-1~a/b?c#d%e 树';
    const url = new URL(sessionAddress(key, { leaf: 'x&y', tab: null }), 'http://localhost');
    expect(matchRoute(url.pathname)).toEqual({ name: 'session', params: { key } });
    expect([...url.searchParams]).toEqual([['leaf', 'x&y']]);
  });
});

describe('queries', () => {
  it('are patched: set, taken out, the rest left', () => {
    const query = new URLSearchParams('q=a&sort=cost&root=r');
    expect(patchQuery(query, { q: null, sort: 'size', label: '', root: undefined })).toBe('?sort=size');
    expect(patchQuery(query, { q: '', sort: null, root: null })).toBe('');
    expect(query.get('q')).toBe('a');
  });
});

describe('going', () => {
  beforeEach(() => navigate('/'));

  it('makes a step in the history, and replace makes none', () => {
    const steps = history.length;
    navigate('/s/one?entry=e1');
    expect(router.route).toEqual({ name: 'session', params: { key: 'one' } });
    expect(history.length).toBe(steps + 1);
    router.setQuery({ entry: 'e2' }, { replace: true });
    expect(location.search).toBe('?entry=e2');
    expect(router.query.get('entry')).toBe('e2');
    expect(history.length).toBe(steps + 1);
  });

  it('makes no step to where it already is', () => {
    const steps = history.length;
    navigate('/');
    expect(history.length).toBe(steps);
  });

  it('follows the back button', async () => {
    navigate('/s/one');
    const gone = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await gone;
    expect(router.route).toEqual({ name: 'library' });
  });
});

describe('links', () => {
  function click(init: MouseEventInit, attributes: Record<string, string> = {}): MouseEvent {
    const anchor = document.createElement('a');
    for (const [name, value] of Object.entries({ href: '/s/linked', ...attributes })) anchor.setAttribute(name, value);
    document.body.append(anchor);
    const { destroy } = link(anchor);
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...init });
    // jsdom cannot load pages and says so: what is left to the browser ends here.
    const stop = (late: Event): void => late.preventDefault();
    const taken = { value: false };
    addEventListener('click', () => (taken.value = event.defaultPrevented), { once: true });
    addEventListener('click', stop, { once: true });
    anchor.dispatchEvent(event);
    destroy();
    anchor.remove();
    return Object.assign(event, { taken: taken.value });
  }

  beforeEach(() => navigate('/'));

  it('change the page on a plain click', () => {
    expect(click({})).toMatchObject({ taken: true });
    expect(location.pathname).toBe('/s/linked');
  });

  it.each([[{ ctrlKey: true }], [{ metaKey: true }], [{ shiftKey: true }], [{ button: 1 }]])(
    'leave %o to the browser',
    (init) => {
      expect(click(init)).toMatchObject({ taken: false });
      expect(location.pathname).toBe('/');
    },
  );

  it('leave other targets and other sites to the browser', () => {
    expect(click({}, { target: '_blank' })).toMatchObject({ taken: false });
    expect(click({}, { href: 'https://example.org/' })).toMatchObject({ taken: false });
    expect(location.pathname).toBe('/');
  });

  it('do nothing while disabled', () => {
    expect(click({}, { 'aria-disabled': 'true' })).toMatchObject({ taken: true });
    expect(location.pathname).toBe('/');
  });
});
