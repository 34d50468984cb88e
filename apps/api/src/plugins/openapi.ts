import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** OpenAPI 3.1 from the schemas of the routes. Register before them. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Stemma',
        version,
        description: 'Sessions of coding agents on this machine: read only. Times are epoch milliseconds; unknown is null.',
      },
      tags: [
        { name: 'library', description: 'What is there' },
        { name: 'session', description: 'One session: tree, transcript, context' },
      ],
    },
  });
}
