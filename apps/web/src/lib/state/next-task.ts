/** Resolves in a task of its own: what waits to be drawn or clicked has its turn before. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
