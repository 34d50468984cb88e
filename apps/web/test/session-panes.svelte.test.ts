import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import Divider from '../src/lib/session/Divider.svelte';

async function fresh(stored?: unknown) {
  localStorage.clear();
  if (stored !== undefined) localStorage.setItem('stemma.panes', JSON.stringify(stored));
  vi.resetModules();
  return (await import('../src/lib/session/panes.svelte.ts')).panes;
}

beforeEach(() => localStorage.clear());

describe('the panes', () => {
  it('close and open, but the last one stays', async () => {
    const panes = await fresh();
    panes.toggle('inspector');
    panes.toggle('transcript');
    panes.toggle('tree');
    expect(['tree', 'transcript', 'inspector'].map((pane) => panes.isOpen(pane as 'tree'))).toEqual([true, false, false]);
    panes.toggle('transcript');
    expect(panes.isOpen('transcript')).toBe(true);
  });

  it('remember their widths within bounds', async () => {
    const panes = await fresh();
    panes.setWidth('tree', 412.4);
    panes.setWidth('inspector', 5);
    panes.mapShare = 2;
    const again = await fresh(JSON.parse(localStorage.getItem('stemma.panes') ?? 'null'));
    expect([again.width('tree'), again.width('inspector'), again.mapShare]).toEqual([412, 200, 0.85]);
  });

  it.each([[{ tree: -4 }], ['wide'], [{ tree: 300, inspector: 300, closed: 'tree', map: 0.5 }]])(
    'begin anew from what cannot be: %j',
    async (stored) => {
      const panes = await fresh(stored);
      expect(panes.width('tree')).toBe(360);
      expect(panes.isOpen('tree')).toBe(true);
    },
  );
});

describe('a divider', () => {
  const divider = (direction: 1 | -1, onchange: (value: number) => void) =>
    render(Divider, {
      divides: 'columns' as const,
      label: 'Width of the tree',
      value: 300,
      min: 200,
      max: 900,
      step: 16,
      dragged: (from: number, pixels: number) => from + direction * pixels,
      onchange,
    });

  it('moves by keys in the direction of the arrow, within its bounds', async () => {
    const seen: number[] = [];
    divider(1, (value) => seen.push(value));
    const handle = screen.getByRole('separator', { name: 'Width of the tree' });
    expect(handle.getAttribute('aria-valuenow')).toBe('300');
    for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'a']) await fireEvent.keyDown(handle, { key });
    expect(seen).toEqual([316, 284, 200, 900]);
  });

  it('grows the pane to its right when it moves left', async () => {
    const seen: number[] = [];
    divider(-1, (value) => seen.push(value));
    for (const key of ['ArrowLeft', 'ArrowRight']) await fireEvent.keyDown(screen.getByRole('separator'), { key });
    expect(seen).toEqual([316, 284]);
  });
});
