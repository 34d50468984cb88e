/** How many ports after the wanted one are tried. */
const MORE_PORTS = 20;

/**
 * Starts a server on the wanted port or, where that is taken, on one of the next twenty.
 * @param port 0 lets the system choose
 * @param start rejects with `EADDRINUSE` when the port is taken
 */
export async function listenFrom<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  const last = port === 0 ? 0 : Math.min(port + MORE_PORTS, 65_535);
  for (let next = port; ; next++) {
    try {
      return await start(next);
    } catch (error) {
      if (!isTaken(error) || next >= last) throw error;
    }
  }
}

/** Whether an error says that a port is in use. */
export const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
