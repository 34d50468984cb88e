import { NO_STORE } from '../http/headers.ts';
import { ErrorBody } from '../schemas/common.ts';
import { Health, Projects, Roots } from '../schemas/roots.ts';
import { SessionsPage, SessionsQuery } from '../schemas/sessions.ts';
import type { App, Services } from './services.ts';

/** What is served, and the lists of the library page. All of it changes, so nothing of it is kept. */
export function addLibraryRoutes(app: App, services: Services): void {
  const { library, counter, looked, demo, version } = services;
  const tags = ['library'];

  app.get(
    '/api/health',
    { schema: { summary: 'What is served, and how far counting is', tags, response: { 200: Health } } },
    async (_request, reply) => {
      reply.header('cache-control', NO_STORE);
      const indexing = counter.progress();
      return { ok: true, version, demo, sessions: library.rows.size, problems: library.problemCount(), indexing };
    },
  );

  app.get(
    '/api/roots',
    { schema: { summary: 'Roots with their problems, and where the server looked', tags, response: { 200: Roots } } },
    async (_request, reply) => {
      await library.freshen();
      reply.header('cache-control', NO_STORE);
      return { items: library.rootRows(), looked: [...looked] };
    },
  );

  app.get(
    '/api/projects',
    { schema: { summary: 'Working directories of each root', tags, response: { 200: Projects } } },
    async (_request, reply) => {
      await library.freshen();
      reply.header('cache-control', NO_STORE);
      return { items: library.rows.projects() };
    },
  );

  const sessions = {
    summary: 'A page of sessions, filtered and sorted',
    tags,
    querystring: SessionsQuery,
    response: { 200: SessionsPage, 400: ErrorBody },
  };
  app.get('/api/sessions', { schema: sessions }, async (request, reply) => {
    await library.freshen();
    reply.header('cache-control', NO_STORE);
    return library.page(request.query);
  });
}
