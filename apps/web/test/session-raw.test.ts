import { beforeEach, describe, expect, it, vi } from 'vitest';

import { panes } from '../src/lib/session/panes.svelte.ts';
import { rawKeys } from '../src/lib/session/raw-view.ts';
import type { SessionView } from '../src/lib/session/session-view.svelte.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function page() {
  document.body.innerHTML = `<div id="tree" tabindex="0"></div><input id="search">
    <div id="inspector-entry" tabindex="0"><button id="copy"></button></div>`;
  const setTab = vi.fn();
  const keys = rawKeys({ setTab } as unknown as SessionView);
  const press = async (id: string, key: string, options: KeyboardEventInit = {}): Promise<void> => {
    const target = document.querySelector<HTMLElement>(`#${id}`)!;
    target.focus();
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
    target.addEventListener('keydown', keys, { once: true });
    target.dispatchEvent(event);
    await settle();
  };
  return { setTab, press, focused: () => document.activeElement?.id };
}

describe('the key for the raw entry', () => {
  beforeEach(() => {
    localStorage.clear();
    if (panes.isOpen('inspector')) panes.toggle('inspector');
  });

  it('opens the inspector with it, and Escape goes back', async () => {
    const { setTab, press, focused } = page();
    await press('tree', 'r');
    expect(setTab).toHaveBeenCalledWith('raw');
    expect([panes.isOpen('inspector'), panes.tab, focused()]).toEqual([true, 'inspector', 'inspector-entry']);
    await press('copy', 'Escape');
    expect(focused()).toBe('tree');
  });

  it('is an ordinary letter in a field and with a modifier', async () => {
    const { setTab, press } = page();
    await press('search', 'r');
    await press('tree', 'r', { ctrlKey: true });
    expect(setTab).not.toHaveBeenCalled();
  });
});
