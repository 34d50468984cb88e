import { DecodeThread } from '@stemma/core';

import { BlobChecks } from './library/blob-checks.ts';
import { Counter } from './library/counter.ts';
import { countsOf } from './library/counts.ts';
import { Library } from './library/library.ts';
import type { ServedRoot } from './library/session-rows.ts';
import type { Services } from './routes/services.ts';
import { OpenSessions } from './sessions/open-sessions.ts';

export interface ServiceOptions {
  roots: readonly ServedRoot[];
  looked: readonly { path: string; found: boolean }[];
  /** Generated sessions are among them. */
  demo: boolean;
  version: string;
  /** Told what went wrong behind the requests. */
  onError: (error: unknown) => void;
}

export interface RunningServices extends Services {
  /** Begins to scan and to count. */
  start(): void;
  /** Resolves when everything known is scanned and counted. */
  settled(): Promise<void>;
  /** Ends all background work and closes all readers. */
  close(): void;
}

/** The state behind the routes: the library, the open sessions, and the counter that works in the background. */
export function createServices(options: ServiceOptions): RunningServices {
  const { roots, looked, demo, version, onError } = options;
  const library = new Library({ roots });
  const thread = new DecodeThread();
  const sessions = new OpenSessions({
    find: (key) => library.find(key),
    open: (root, file, { signal }) => root.openReader(file, { signal, thread }),
    onDecoded: (session) => {
      try {
        counter.take(session);
        blobs.look(session);
      } catch (error) {
        onError(error); // a fault in counting must not end the server; the session itself can be read
      }
    },
  });
  const blobs = new BlobChecks({
    isBusy: () => sessions.foreground > 0,
    onChecked: (key, count) => library.rows.setBlobProblems(key, count),
    onError,
  });
  const counter = new Counter(library, sessions, countsOf, onError);
  return {
    library,
    counter,
    blobs,
    sessions,
    looked,
    demo,
    version,
    start: () => library.start(() => counter.wake()),
    settled: async () => {
      await library.scan();
      await counter.settled();
      await blobs.settled();
    },
    close: () => {
      counter.close();
      blobs.close();
      library.close();
      sessions.close();
      void thread.close();
    },
  };
}
