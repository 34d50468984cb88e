import { MemoryDisk, openRoot, type RootSpec } from '@stemma/core';
import { compressFrame, DEFAULT_HOME, DEMO_ROOTS, demoFiles } from '@stemma/core/corpus';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { buildApp, type AppOptions } from './app.ts';
import { createServices } from './create-services.ts';
import { authoritiesOf } from './http/guard.ts';
import type { ServedRoot } from './library/session-rows.ts';
import type { App } from './routes/services.ts';

/** Where `pnpm build` puts the web app. */
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const DEMO_FOLDER = '/demo';

export interface ServerOptions {
  /** A loopback address; nothing else is bound. */
  host: string;
  /** 0 for any free port. */
  port: number;
  roots: readonly RootSpec[];
  /** Where agent folders were looked for, for the empty state. */
  looked: readonly { path: string; found: boolean }[];
  /** Serve a generated corpus from memory as well. */
  demo: boolean;
  /** Where the agents' host notes which sessions are paused, for roots that name no other place; not known by default. */
  journal?: string;
  /** The folder of the built web app. */
  webRoot?: string;
  /** Requests without their queries, and errors; off by default. */
  logger?: boolean;
}

export interface RunningServer {
  /** Where a browser finds it. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Listens, and begins to look for sessions.
 *
 * @throws SessionStoreError `invalid_root`; what listening throws passes through (EADDRINUSE).
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  if (!LOOPBACK.includes(options.host)) throw new RangeError(`Only a loopback address can be bound, not ${options.host}.`);
  const roots = await openRoots(options);
  let port = options.port;
  const services = createServices({
    roots,
    looked: options.looked,
    demo: options.demo,
    version: ownVersion(),
    onError: (error) => app.log.warn({ err: error }, 'background work'),
  });
  const app = await buildApp({
    services,
    authorities: () => authoritiesOf(port),
    webRoot: options.webRoot ?? WEB_ROOT,
    logger: options.logger === true ? LOGGER : false,
  });
  app.addHook('onClose', async () => services.close());
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  port = boundPort(app) ?? options.port;
  services.start();
  const shown = options.host === '::1' ? '[::1]' : options.host;
  return { url: `http://${shown}:${port}`, port, close: () => app.close() };
}

function boundPort(app: App): number | undefined {
  const [first] = app.addresses();
  return typeof first === 'object' ? first.port : undefined;
}

async function openRoots({ roots, demo, journal }: ServerOptions): Promise<ServedRoot[]> {
  const served: ServedRoot[] = [];
  for (const spec of roots) {
    const root = await openRoot(journal === undefined ? spec : { journal, ...spec });
    const isKnown = served.some((other) => other.root.id === root.id); // the same folder by two names
    if (!isKnown) served.push({ root, demo: false, home: homedir() });
  }
  if (demo) served.push(...(await openDemo()));
  return served;
}

async function openDemo(): Promise<ServedRoot[]> {
  const disk = demoDisk();
  const specs = DEMO_ROOTS.map(({ path, dialect }) => ({ path: `${DEMO_FOLDER}/${path}`, dialect }));
  return Promise.all(specs.map(async (spec) => ({ root: await openRoot(spec, disk), demo: true, home: DEFAULT_HOME })));
}

function demoDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  for (const { path, bytes, modified } of demoFiles(Date.now(), compressFrame))
    disk.writeFile(`${DEMO_FOLDER}/${path}`, bytes, modified);
  return disk;
}

/** Never a query: it may hold words out of private sessions. */
const LOGGER: AppOptions['logger'] = {
  serializers: {
    req: (request) => ({ method: request.method, url: request.url.split('?', 1)[0] ?? '' }),
  },
};

function ownVersion(): string {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  return version;
}
