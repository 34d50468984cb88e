import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../src/lib/api/errors.ts';
import ErrorState from '../src/lib/ui/ErrorState.svelte';
import { rove, step } from '../src/lib/ui/rove.ts';
import Tabs from '../src/lib/ui/Tabs.svelte';

describe('moving by keys', () => {
  it('goes round in a short row', () => {
    expect(rove('ArrowRight', 2, 3, 'horizontal')).toBe(0);
    expect(rove('ArrowLeft', 0, 3, 'horizontal')).toBe(2);
    expect(rove('End', 0, 3, 'horizontal')).toBe(2);
    expect(rove('ArrowDown', 0, 3, 'horizontal')).toBeNull();
    expect(rove('ArrowDown', 0, 3, 'vertical')).toBe(1);
    expect(rove('Home', 0, 0, 'vertical')).toBeNull();
  });

  it('stops at the ends of a long list', () => {
    expect(step('ArrowUp', 0, 100, 10)).toBe(0);
    expect(step('PageDown', 95, 100, 10)).toBe(99);
    expect(step('PageUp', 50, 100, 10)).toBe(40);
    expect(step('End', 0, 100, 10)).toBe(99);
    expect(step('a', 0, 100, 10)).toBeNull();
    expect(step('Home', 0, 0, 10)).toBeNull();
  });
});

describe('tabs', () => {
  // jsdom lays nothing out.
  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      vi.fn(
        class {
          observe = vi.fn();
          disconnect = vi.fn();
        },
      ),
    );
    Element.prototype.scrollIntoView = vi.fn();
  });

  const tabs = [
    { id: 'one', label: 'One' },
    { id: 'two', label: 'Two', count: 2 },
  ] as const;

  it('let Tab come to the selected one only, and arrows select', async () => {
    const onselect = vi.fn();
    render(Tabs, { tabs, selected: 'one', label: 'Views', panels: 'p', onselect });
    const [one, two] = screen.getAllByRole('tab');
    expect(one?.tabIndex).toBe(0);
    expect(two?.tabIndex).toBe(-1);
    expect(two?.textContent.trim()).toMatch(/^Two\s2$/);
    if (one) await fireEvent.keyDown(one, { key: 'ArrowRight' });
    expect(onselect).toHaveBeenCalledWith('two');
  });
});

describe('an error', () => {
  it('is announced in words, and can be tried again', async () => {
    const retry = vi.fn();
    render(ErrorState, { error: new ApiError('unreachable', 'x', 0), retry });
    expect(screen.getByRole('alert').textContent).toContain('does not answer');
    await fireEvent.click(screen.getByRole('button'));
    expect(retry).toHaveBeenCalledOnce();
  });
});
