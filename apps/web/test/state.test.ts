import { afterEach, describe, expect, it, vi } from 'vitest';

import { Persisted } from '../src/lib/state/persisted.svelte.ts';
import { applyTheme } from '../src/lib/state/theme.svelte.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('a persisted value', () => {
  it('is there again after loading', () => {
    new Persisted('k', 1, isNumber).value = 5;
    expect(new Persisted('k', 1, isNumber).value).toBe(5);
  });

  it.each(['"text"', 'null', '{', ''])('does not believe %j', (stored) => {
    localStorage.setItem('k', stored);
    expect(new Persisted('k', 1, isNumber).value).toBe(1);
  });

  it('follows other tabs, and their clearing', () => {
    const value = new Persisted('k', 1, isNumber);
    dispatchEvent(new StorageEvent('storage', { key: 'k', newValue: '7' }));
    expect(value.value).toBe(7);
    dispatchEvent(new StorageEvent('storage', { key: 'other', newValue: '8' }));
    expect(value.value).toBe(7);
    dispatchEvent(new StorageEvent('storage', { key: null, newValue: null }));
    expect(value.value).toBe(1);
  });

  it('works where storage is forbidden or full', () => {
    const refuse = (): never => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    const value = new Persisted('k', 1, isNumber);
    value.value = 3;
    expect(value.value).toBe(3);
  });
});

describe('the theme', () => {
  it('is written for the style sheet, and not at all for auto', () => {
    const root = document.createElement('div');
    applyTheme('dark', root);
    expect(root.dataset['theme']).toBe('dark');
    applyTheme('auto', root);
    expect('theme' in root.dataset).toBe(false);
  });
});
