import type { FastifyInstance, FastifyBaseLogger, RawServerDefault } from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BlobChecks } from '../library/blob-checks.ts';
import type { Counter } from '../library/counter.ts';
import type { Library } from '../library/library.ts';
import type { OpenSessions } from '../sessions/open-sessions.ts';

/** What routes work with. */
export interface Services {
  library: Library;
  counter: Counter;
  blobs: BlobChecks;
  sessions: OpenSessions;
  /** Where the server looked for agent folders. */
  looked: readonly { path: string; found: boolean }[];
  demo: boolean;
  version: string;
}

/** A Fastify instance whose handlers get their types from the schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;
