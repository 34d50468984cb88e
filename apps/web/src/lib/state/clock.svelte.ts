import { createSubscriber } from 'svelte/reactivity';

const TICK = 30_000;

/** The current time for relative dates. Moves every 30 s, and only while something that is shown reads it. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK);
    return () => clearInterval(timer);
  });

  /** Epoch ms. */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();
