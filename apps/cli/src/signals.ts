/** The same Ctrl-C often arrives twice, from the terminal and from npm; only a later one means impatience. */
const REPEAT_MS = 1_000;
/** A close that takes longer than this is not waited for. */
const PATIENCE_MS = 3_000;

/**
 * Closes the server at the first SIGINT, SIGTERM or SIGHUP and ends the process with 0, or with 1 when closing fails or hangs.
 * A second signal after a second ends it at once.
 */
export function closeOnSignal(close: () => Promise<void>): void {
  let began: number | undefined;
  const stop = () => {
    if (began !== undefined) {
      if (Date.now() - began > REPEAT_MS) process.exit(1);
      return;
    }
    began = Date.now();
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stemma did not close cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
}
