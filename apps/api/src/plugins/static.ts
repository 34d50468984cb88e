import fastifyStatic from '@fastify/static';
import { diskCode, NodeDisk } from '@stemma/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import path from 'node:path';

import { ApiError } from '../http/errors.ts';
import { NO_STORE } from '../http/headers.ts';
import { isApiPath } from './security.ts';

const NOT_BUILT = 'The pages of Stemma have not been built yet. Run "pnpm build" in its folder, then load this page again.\n';

/**
 * The web app: files of Vite's build, and its index page for every address that the app itself understands.
 * Names under /assets carry a hash of their content, so they can be kept for ever.
 */
export async function addStatic(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    dotfiles: 'ignore',
    cacheControl: false,
    suppressWarning: true,
    setHeaders: (reply, file) => {
      const hashed = path.relative(webRoot, file).split(path.sep)[0] === 'assets';
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  app.setNotFoundHandler(async (request, reply) => {
    if (!isNavigation(request)) throw new ApiError('not_found', 'There is nothing at this address.');
    if (!(await isBuilt(webRoot))) {
      return reply.status(503).header('cache-control', NO_STORE).type('text/plain; charset=utf-8').send(NOT_BUILT);
    }
    return reply.sendFile('index.html');
  });
}

async function isBuilt(webRoot: string): Promise<boolean> {
  try {
    return (await new NodeDisk().stat(path.join(webRoot, 'index.html'))).kind === 'file';
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A person opening an address of the app: not a script, style or API call that went wrong. */
function isNavigation(request: FastifyRequest): boolean {
  if (isApiPath(request.url) || /^\/assets(?:[/?#]|$)/.test(request.url)) return false;
  const accept = request.headers.accept ?? '';
  return request.headers['sec-fetch-dest'] === 'document' || accept.includes('text/html') || request.url === '/';
}
