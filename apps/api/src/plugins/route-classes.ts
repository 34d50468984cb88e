import type { FastifyInstance } from 'fastify';

/**
 * Every route with its class. `read` may look at sessions and changes nothing. A route that is not listed here
 * does not start: nobody adds one that writes without saying so.
 */
export const ROUTE_CLASSES: Readonly<Record<string, 'read'>> = {
  '/api/health': 'read',
  '/api/openapi.json': 'read',
  '/api/roots': 'read',
  '/api/projects': 'read',
  '/api/sessions': 'read',
  '/api/sessions/:key': 'read',
  '/api/sessions/:key/outline': 'read',
  '/api/sessions/:key/entries/:entryId': 'read',
  '/api/sessions/:key/entries/:entryId/images/:n': 'read',
  '/api/sessions/:key/lines/:at': 'read',
  '/api/sessions/:key/transcript': 'read',
  '/api/sessions/:key/context': 'read',
  '/api/sessions/:key/compactions': 'read',
  '/api/blobs/:sha256': 'read',
  '/*': 'read',
};

const READ_METHODS = ['GET', 'HEAD'];

/** Refuses to register a route without a class, and methods that its class does not allow. */
export function addRouteClasses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    const known = Object.hasOwn(ROUTE_CLASSES, route.url);
    if (!known || !methods.every((method) => READ_METHODS.includes(method))) {
      throw new Error(`Route ${methods.join()} ${route.url} is not classified in route-classes.ts`);
    }
  });
}
