import { tick } from 'svelte';

/** Frames to wait for an article that is on its way. */
const FRAMES = 40;

/** Puts the keyboard into the transcript after its tab was changed: on the selected entry, or the list until that is there. */
export async function focusTranscript(): Promise<void> {
  await tick();
  const feed = document.querySelector<HTMLElement>('#transcript-full [role="feed"]');
  feed?.focus({ preventScroll: true });
  for (let frame = 0; frame < FRAMES && feed?.isConnected && document.activeElement === feed; frame++) {
    feed.querySelector<HTMLElement>('article[aria-current]')?.focus({ preventScroll: true });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
