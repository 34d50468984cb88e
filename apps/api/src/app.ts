import { TypeBoxValidatorCompiler, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyServerOptions } from 'fastify';

import { addErrorHandler } from './plugins/errors.ts';
import { addOpenApi } from './plugins/openapi.ts';
import { addRouteClasses } from './plugins/route-classes.ts';
import { addSecurity, answerUnreadable } from './plugins/security.ts';
import { addStatic } from './plugins/static.ts';
import { addBlobRoute } from './routes/blobs.ts';
import { addCompactionsRoute } from './routes/compactions.ts';
import { addContextRoute } from './routes/context.ts';
import { addEntryRoutes } from './routes/entries.ts';
import { addLibraryRoutes } from './routes/library.ts';
import { addLineRoute } from './routes/lines.ts';
import { addOpenApiRoute } from './routes/openapi.ts';
import { addOutlineRoute } from './routes/outline.ts';
import type { App, Services } from './routes/services.ts';
import { addSessionRoute } from './routes/session.ts';
import { addTranscriptRoute } from './routes/transcript.ts';

export interface AppOptions {
  services: Services;
  /** The Host values that are answered, asked at every request since the port is known only when listening. */
  authorities: () => readonly string[];
  /** The folder of the built web app; it need not exist. */
  webRoot: string;
  logger?: FastifyServerOptions['logger'];
}

/** The whole HTTP application, not yet listening. The order here is the order in which things apply. */
export async function buildApp({ services, authorities, webRoot, logger = false }: AppOptions): Promise<App> {
  const app = Fastify({
    logger,
    // Nothing may be sent to a server that only reads.
    bodyLimit: 1,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
    // A request without Host gets our explanation instead of an empty 400.
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requireHostHeader: false },
    // Entry ids may have 400 characters, each up to 12 when encoded.
    routerOptions: { maxParamLength: 4_800 },
    frameworkErrors: (error, request, reply) => answerUnreadable(error, request, reply, authorities()),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  // Answers are shaped by hand and tests hold them against their schemas: one that differs must not become a 500.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));

  addSecurity(app, authorities);
  addErrorHandler(app);
  addRouteClasses(app);
  await addOpenApi(app, services.version);

  addLibraryRoutes(app, services);
  addSessionRoute(app, services);
  addOutlineRoute(app, services);
  addEntryRoutes(app, services);
  addLineRoute(app, services);
  addTranscriptRoute(app, services);
  addContextRoute(app, services);
  addCompactionsRoute(app, services);
  addBlobRoute(app, services);
  addOpenApiRoute(app);

  await addStatic(app, webRoot);
  return app;
}
