/**
 * Where a key moves in a row of `count` items from `index`: the new index (round the ends), or null when the key does
 * not move. The ARIA practice for tabs, toolbars and menus.
 */
export function rove(key: string, index: number, count: number, direction: 'horizontal' | 'vertical'): number | null {
  if (count === 0) return null;
  const [back, forth] = direction === 'horizontal' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  if (key === back) return (index - 1 + count) % count;
  if (key === forth) return (index + 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

/**
 * Where a key moves in a long list: no wrapping, and pages of `page` items. null when the key does not move.
 */
export function step(key: string, index: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    PageUp: index - page,
    PageDown: index + page,
    Home: 0,
    End: count - 1,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next));
}
