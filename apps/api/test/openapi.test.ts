import { describe, expect, it } from 'vitest';

import { ROUTE_CLASSES } from '../src/plugins/route-classes.ts';
import { buildTestApp } from './build-test-app.ts';

describe('routes', () => {
  it('are all classified, and every class is of a route', async () => {
    const { app } = await buildTestApp();
    for (const url of Object.keys(ROUTE_CLASSES)) {
      expect([url, app.hasRoute({ method: 'GET', url })]).toEqual([url, true]);
      expect([url, app.hasRoute({ method: 'POST', url })]).toEqual([url, false]);
    }
  });

  it('do not start without a class', async () => {
    const { buildApp } = await import('../src/app.ts');
    const { services } = await buildTestApp({ idle: true });
    const app = await buildApp({ services, authorities: () => [], webRoot: '/nowhere' });
    expect(() => app.get('/api/secret', async () => 'x')).toThrow(/not classified/);
    expect(() => app.post('/api/sessions', async () => 'x')).toThrow(/not classified/);
    await app.close();
  });
});

describe('GET /api/openapi.json', () => {
  it('describes every route of the API but itself', async () => {
    const { get } = await buildTestApp();
    const document = (await get('/api/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.keys(document.paths).map((one) => one.replace(/\{(\w+)\}/g, ':$1'));
    const routes = Object.keys(ROUTE_CLASSES).filter((url) => url.startsWith('/api/') && url !== '/api/openapi.json');
    expect(described.sort()).toEqual(routes.sort());
    const list = document.paths['/api/sessions'].get;
    expect(list.parameters.map((one: { name: string }) => one.name)).toContain('cursor');
    const row = list.responses['200'].content['application/json'].schema.properties.items.items;
    expect(row.properties.key).toEqual({ type: 'string' });
  });
});
