import { MemoryDisk, openRoot, type RootSpec } from '@stemma/core';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, onTestFinished } from 'vitest';

import { buildApp } from '../src/app.ts';
import { createServices, type RunningServices } from '../src/create-services.ts';
import { authoritiesOf } from '../src/http/guard.ts';
import type { App } from '../src/routes/services.ts';

const AGENT = '/home/u/agent';
const JOURNAL = '/home/u/journal';

export interface TestApp {
  app: App;
  services: RunningServices;
  disk: MemoryDisk;
  errors: unknown[];
  /** GET with the right Host. */
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** GET that must answer 200 and fit the schema, with no field beyond it. */
  answer<T extends TSchema>(schema: T, url: string): Promise<Static<T>>;
  /** The key of the session whose header has this id. */
  key(id: string): string;
  /** Writes a file below the root. */
  write(file: string, content: string | Uint8Array): void;
}

export interface TestAppOptions {
  /** Path below the root, the agent folder by default → content. */
  files?: Record<string, string | Uint8Array>;
  /** Instead of the agent folder. */
  root?: RootSpec;
  /** Serves this instead of anything in memory. */
  onDisk?: RootSpec;
  webRoot?: string;
  /** Do not scan and count. */
  idle?: boolean;
}

/** The whole application over a store in memory, scanned and counted. Closed when the test ends. */
export async function buildTestApp({
  files = {},
  root: spec = { path: AGENT },
  onDisk,
  webRoot,
  idle = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const disk = new MemoryDisk();
  const write = (file: string, content: string | Uint8Array): void => {
    disk.writeFile(`${spec.path}/${file}`, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  if (Object.keys(files).length === 0) write('sessions/README', 'no session');
  const root = await (onDisk === undefined ? openRoot({ journal: JOURNAL, ...spec }, disk) : openRoot(onDisk));
  const errors: unknown[] = [];
  const services = createServices({
    roots: [{ root, demo: false, home: '/home/u' }],
    looked: [{ path: '~/agent', found: true }],
    demo: false,
    version: '1.2.3',
    onError: (error) => errors.push(error),
  });
  const app = await buildApp({
    services,
    authorities: () => authoritiesOf(80),
    webRoot: webRoot ?? path.join(tmpdir(), 'stemma-no-such-build'),
  });
  onTestFinished(async () => {
    services.close();
    await app.close();
  });
  if (!idle) {
    services.start();
    await services.settled();
  }
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { host: 'localhost:80', ...headers } });
  return {
    app,
    services,
    disk,
    errors,
    get,
    answer: async (schema, url) => {
      const response = await get(url);
      expect([response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([200, '']);
      return conforming(schema, response.json());
    },
    key: (id) => {
      for (const entry of services.library.rows.values()) if (entry.row.id === id) return entry.row.key;
      throw new Error(`no session ${id}`);
    },
    write,
  };
}

/** Fails unless a value fits a schema exactly: declared fields only. */
export function conforming<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const strict = closed(schema);
  expect(Value.Errors(strict, value).slice(0, 5)).toEqual([]);
  return value as Static<T>;
}

/** A copy of a schema in which objects have no fields but those declared. */
function closed(schema: TSchema): TSchema {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const copy: Record<string, unknown> = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, walk(value)]));
    if (copy['type'] === 'object' && copy['properties'] !== undefined) copy['additionalProperties'] ??= false;
    return copy;
  };
  return Type.Unsafe(walk(schema) as TSchema);
}
