import { NO_STORE } from '../http/headers.ts';
import type { App } from './services.ts';

/** The description of all routes above it. */
export function addOpenApiRoute(app: App): void {
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', NO_STORE);
    return app.swagger();
  });
}
