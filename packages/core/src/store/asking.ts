/** An operation that can be done at once or be waited for. */
export interface Ask<T> {
  now(): T;
  later(): Promise<T>;
}

/** Work that asks for such operations: written once, done at once or beside others. */
export type Asking<T> = Generator<Ask<unknown>, T, unknown>;

/** Asks for one operation; what it throws is thrown here. */
export function* ask<T>(operation: Ask<T>): Asking<T> {
  return (yield operation) as T;
}

/** Does all of it at once. */
export function answerNow<T>(work: Asking<T>): T {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = step.value.now();
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}

/** Waits for each of its operations. */
export async function answerLater<T>(work: Asking<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value.later();
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(answer);
  }
  return step.value;
}
