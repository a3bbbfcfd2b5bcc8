import type { FastifyInstance } from 'fastify';
import type { ApiDependencies } from './dependencies.ts';

/**
 * `/healthz`: the process answers. `/readyz`: it can also do its work; 503 with what is missing when it cannot.
 */
export function addHealthRoutes(server: FastifyInstance, { readiness }: Pick<ApiDependencies, 'readiness'>): void {
  server.get('/healthz', async (_, reply) => reply.type('text/plain').send('ok'));
  server.get('/readyz', async (_, reply) => {
    const checks = await readiness();
    const ready = checks.every((check) => check.ready);
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  });
}
