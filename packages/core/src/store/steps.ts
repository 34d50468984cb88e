/** Work in steps: done at one go, or with pauses in which others get their turn. */
export type Steps<T> = Generator<void, T, void>;

/** Does all steps at once. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the steps with a pause after each. */
export async function runAsync<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
