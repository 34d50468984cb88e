import type { MapState } from './map-state.svelte.ts';
import type { Viewport } from './viewport.svelte.ts';

/** What a key does in the map; says whether it did anything. Enter selects, then opens; space opens and closes. */
export function mapKey(event: KeyboardEvent, map: MapState, viewport: Viewport): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { run, row } = map.focus;
  switch (event.key) {
    case 'Enter':
      if (row < 0 && run === map.selectedRun && map.canOpen(run)) map.toggle(run);
      else map.choose();
      return true;
    case ' ':
      map.toggle(run);
      return true;
    case '+':
    case '=':
      viewport.zoomBy(1.4);
      return true;
    case '-':
      viewport.zoomBy(1 / 1.4);
      return true;
    case '0':
      viewport.fit();
      return true;
    default:
      return map.move(event.key);
  }
}
