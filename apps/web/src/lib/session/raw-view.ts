import { tick } from 'svelte';

import { panes } from './panes.svelte.ts';
import type { SessionView } from './session-view.svelte.ts';

/** The tab of the inspector that shows the selected entry as it is stored. */
export const RAW_TAB = 'raw';

/** Shows the selected entry as it is stored and puts the keyboard there. */
export async function showRaw(view: SessionView): Promise<void> {
  view.setTab(RAW_TAB);
  panes.reveal('inspector');
  await tick();
  document.querySelector<HTMLElement>('#inspector-entry')?.focus();
}

/** The letter that shows an entry as it is stored, wherever one is selected or walked to. */
const RAW_KEY = 'r';

/**
 * For the page's `keydown`: shows the raw entry, and with Escape goes back to where the keyboard was. Letters that are
 * typed into a field are left alone.
 */
export function rawKeys(view: SessionView): (event: KeyboardEvent) => void {
  let from: HTMLElement | null = null;
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.key === RAW_KEY && target?.closest('input, select, textarea, dialog') === null) {
      from = target.closest('#inspector-entry') === null ? target : from;
      event.preventDefault();
      void showRaw(view);
    } else if (event.key === 'Escape' && from?.isConnected && target?.closest('#inspector-entry') !== null) {
      from.focus();
      from = null;
    }
  };
}
