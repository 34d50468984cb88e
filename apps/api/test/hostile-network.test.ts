import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startServer, type RunningServer } from '../src/index.ts';
import { chain, header, text, user } from './session-text.ts';

let folder = '';
let server: RunningServer;
let keys: string[] = [];

const SECRET = 'the-secret-beside-the-root';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stemma-hostile-'));
  const files = {
    'one/sessions/--w--/a.jsonl': chain('s1', 4),
    'two/sessions/--w--/b.jsonl': chain('s2', 4),
    // Beside the roots, with names that begin as theirs.
    'one/sessions-evil/c.jsonl': text(header('evil'), user('a', null, SECRET)),
    'secret.jsonl': text(header('secret'), user('a', null, SECRET)),
    'one/blobs/README': 'no blob',
  };
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  const roots = ['one', 'two'].map((name) => ({ path: path.join(folder, name) }));
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    roots,
    looked: [],
    demo: false,
    webRoot: path.join(folder, 'no-build'),
  });
  const { items } = (await (await fetch(`${server.url}/api/sessions`)).json()) as { items: { key: string }[] };
  keys = items.map((item) => item.key);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** A request line and headers as they are; clients tidy them. Answers status and text. */
function raw(head: string, { port } = server): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
    socket
      .on('error', reject)
      .on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), text: answer }));
  });
}

const own = (): string => `127.0.0.1:${String(server.port)}`;
const get = (target: string): ReturnType<typeof raw> => raw(`GET ${target} HTTP/1.1\r\nHost: ${own()}`);

describe('what is asked for', () => {
  it('lists the sessions of the roots alone', () => {
    expect(keys).toHaveLength(2);
  });

  it.each([
    '/../secret.jsonl',
    '/..%2fsecret.jsonl',
    '/%2e%2e/%2e%2e/secret.jsonl',
    '/..%5csecret.jsonl',
    '/assets/..%2f..%2fsecret.jsonl',
    '/assets/../../secret.jsonl',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/\\etc\\passwd',
    '/%00',
    '/api/blobs/..%2f..%2fsecret.jsonl',
    '/api/blobs/blob:sha256:..%2f..%2fx',
    '/api/sessions/..%2f..%2fsecret.jsonl',
    '/api/sessions/KEY/entries/..%2f..%2fsecret.jsonl',
    '/api/sessions/KEY/entries/e0/images/..%2f0',
    '/api/sessions/KEY%2foutline',
    '/api/sessions/KEY%00',
    '/api/sessions/%2e%2e%2fKEY',
    '/api/sessions/KEY/../../../secret.jsonl',
    '/api/sessions?root=../one/sessions-evil',
    '/api/sessions?project=..%2f..%2f',
    '/api/sessions?cursor=..%2f',
  ])('reaches nothing outside by %s', async (target) => {
    const { status, text: answer } = await get(target.replace('KEY', keys[0]!));
    expect([200, 400, 403, 404, 414, 503]).toContain(status);
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain('root:');
    expect(answer.toLowerCase()).toContain('content-security-policy');
  });

  it('is found under a key of its own root only', async () => {
    const [a, b] = keys.map((key) => key.split('~') as [string, string]);
    for (const key of [`${a![0]}~${b![1]}`, `${b![0]}~${a![1]}`, a![1], `~${a![1]}`, `${keys[0]!}~`, keys[0]!.toUpperCase()]) {
      expect([key, (await get(`/api/sessions/${key}`)).status]).toEqual([key, 404]);
    }
  });

  it('is never a server that the address names', async () => {
    const asked: string[] = [];
    const other = await startServer({ host: '127.0.0.1', port: 0, roots: [], looked: [], demo: false, webRoot: '/nowhere' });
    onTestFinished(() => other.close());
    for (const name of ['server', 'url', 'api', 'host', 'proxy']) {
      const { status, text: answer } = await get(`/api/health?${name}=${encodeURIComponent(other.url)}`);
      expect(status).toBe(200);
      asked.push(/"sessions":(\d+)/.exec(answer)?.[1] ?? '');
    }
    expect(new Set(asked)).toEqual(new Set(['2']));
  });

  it.each([
    ['many parameters', `/api/sessions?${'a=1&'.repeat(1_900)}`],
    ['one parameter many times', `/api/sessions?${'limit=1&'.repeat(900)}`],
    ['a deep parameter', `/api/sessions?${'a[b]'.repeat(1_500)}=1`],
    ['many words', `/api/sessions?q=${'a%20'.repeat(1_900)}`],
    ['a pattern', `/api/sessions?q=${encodeURIComponent('(a+)+$'.repeat(200))}`],
    ['prototype keys', '/api/sessions?__proto__=1&constructor=2&q[__proto__]=3'],
    ['a bad escape', '/api/sessions?q=%E0%A4%A'],
  ])('is answered with %s', { timeout: 5_000 }, async (_what, target) => {
    const { status, text: answer } = await get(target);
    expect([200, 400, 414, 431]).toContain(status);
    if (status !== 200) expect(answer).toMatch(/"code":"(?:invalid_query|uri_too_long|bad_request)"/);
  });
});

describe('how it is asked', () => {
  it.each(['PROPFIND', 'TRACE', 'SEARCH', 'MKCOL', 'REPORT', 'PATCH', 'QUERY'])('refuses %s', async (method) => {
    const { status } = await raw(`${method} /api/health HTTP/1.1\r\nHost: ${own()}`);
    expect([400, 404, 405, 501]).toContain(status);
  });

  it.each(['BREW / HTTP/1.1', 'GET / HTTP/9.9', 'GET /', '\u0016\u0003\u0001', 'GET / HTTP/1.1\r\nHost 127.0.0.1'])(
    'refuses %j, which is no HTTP',
    async (line) => {
      expect([400, 403]).toContain((await raw(line)).status);
    },
  );

  it.each([
    'evil.com',
    'localhost.evil.com:PORT',
    '127.0.0.1.nip.io:PORT',
    '127.0.0.1:1',
    '127.0.0.1',
    '0.0.0.0:PORT',
    '[::]:PORT',
    '2130706433:PORT',
    '127.0.0.1:PORT#@evil.com',
    'user@127.0.0.1:PORT',
  ])('refuses the Host %s', async (host) => {
    const named = host.replace('PORT', String(server.port));
    for (const target of ['/', '/api/health', '/assets/x.js', '/%zz']) {
      const { status } = await raw(`GET ${target} HTTP/1.1\r\nHost: ${named}`);
      expect([target, [400, 403].includes(status)]).toEqual([target, true]);
    }
  });

  it('refuses two ways to say how long the body is', async () => {
    const { status } = await raw(
      `POST /api/health HTTP/1.1\r\nHost: ${own()}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked`,
    );
    expect([400, 405]).toContain(status);
  });

  it('serves others while two hundred half requests wait', async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => halfRequest(server.port)));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const start = performance.now();
    for (let i = 0; i < 5; i++) expect((await get('/api/health')).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

function halfRequest(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nX-Slow: `);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

describe('who can be reached', () => {
  const others = Object.values(networkInterfaces())
    .flat()
    .flatMap((place) => (place === undefined || place.internal || place.family !== 'IPv4' ? [] : [place.address]));

  it.skipIf(others.length === 0)('not this server by the addresses that others see', async () => {
    for (const address of others) {
      const socket = connect(server.port, address);
      const outcome = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
        setTimeout(() => resolve('no answer'), 2_000).unref();
      });
      socket.destroy();
      expect([address, outcome === 'connected']).toEqual([address, false]);
    }
  });

  it('nobody by this server: its sources know no client of a network', () => {
    const workspace = path.resolve(import.meta.dirname, '../../..');
    const CLIENT =
      /^import (?!type ).*from '(?:node:)?(?:https?|http2|net|tls|dns|dgram|undici)\b|\bfetch\(['"`]|globalThis\.fetch|new WebSocket/m;
    for (const sources of ['packages/core/src', 'apps/api/src']) {
      const folder = path.join(workspace, sources);
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.ts')) continue;
        expect([name, CLIENT.exec(readFileSync(path.join(folder, name), 'utf8'))?.[0]]).toEqual([name, undefined]);
      }
    }
  });
});
