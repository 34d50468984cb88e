/** What still has to be done when the process ends by itself, by `process.exit` or by an error. */
const pending = new Set<() => void>();

function runAll(): void {
  for (const work of [...pending]) work();
}

/** Runs `work`, which must be synchronous and must not throw, when the process ends, unless what is answered is called before. */
export function atExit(work: () => void): () => void {
  // One listener for all: Node warns of more than ten.
  if (pending.size === 0) process.on('exit', runAll);
  pending.add(work);
  return () => {
    pending.delete(work);
    if (pending.size === 0) process.off('exit', runAll);
  };
}
