import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';

import SessionRow from '../src/lib/library/SessionRow.svelte';
import { summaryRow } from './library-rows.ts';

const props = { index: 0, current: true, time: 'modified', onfocus: () => undefined } as const;
const text = (): string => screen.getByRole('link').textContent.replace(/\s+/g, ' ').trim();

describe('a row of the library', () => {
  it('links to its session and says what is known', () => {
    const row = summaryRow({
      key: 'pi-1~ab',
      title: 'Fix the loop',
      firstPrompt: 'why',
      cwdLabel: '~/work',
      models: ['m1', 'm2', 'm3'],
      entryCount: 1284,
      branchCount: 3,
      compactionCount: 1,
      problemCount: 2,
      labels: ['done'],
      status: 'error',
      cost: 3.41,
    });
    render(SessionRow, { ...props, row });
    expect(screen.getByRole('link').getAttribute('href')).toBe('/s/pi-1~ab');
    for (const part of ['Fix the loop', '~/work', 'm1 and 2 more', '1,284 entries', '2 problems', 'done', '$3.41']) {
      expect(text()).toContain(part);
    }
    expect(screen.getByRole('img', { name: 'ended with an error' })).toBeTruthy();
    expect(screen.getByRole('img', { name: '3 branches' })).toBeTruthy();
    expect(screen.getByRole('img', { name: '1 compaction' })).toBeTruthy();
  });

  it('shows what is not counted yet as unknown, never as 0', () => {
    render(SessionRow, { ...props, row: summaryRow({ key: 'k', firstPrompt: 'why' }) });
    expect(text()).toContain('why');
    expect(text()).toContain('not counted yet');
    expect(text()).not.toMatch(/\b0\b/);
  });

  it('shows markup in titles as text', () => {
    render(SessionRow, { ...props, row: summaryRow({ key: 'k', title: '<img src=x onerror=alert(1)>' }) });
    expect(text()).toContain('<img src=x onerror=alert(1)>');
    expect(document.querySelector('img')).toBeNull();
  });

  it('keeps its element when its data arrives, so that the focus stays', async () => {
    const { rerender } = render(SessionRow, { ...props, row: undefined });
    const element = screen.getByRole('link');
    element.focus();
    expect(element.getAttribute('aria-disabled')).toBe('true');
    await rerender({ row: summaryRow({ key: 'k', title: 'here' }) });
    expect(screen.getByRole('link')).toBe(element);
    expect(document.activeElement).toBe(element);
    expect(element.hasAttribute('aria-disabled')).toBe(false);
  });
});
