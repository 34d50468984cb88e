import { bash, bashFails, edit, grep, read, write } from './calls.ts';
import { Tale } from './tale.ts';

/** Three designs tried from one question, two of them left; labels and branch summaries. */
export function rateLimiter(time: number): Tale {
  const tale = new Tale({ shapes: 'musepi', project: 'work/api', title: 'Rate limit for the public API', time });
  tale
    .user(
      'We need a rate limit on /v1/public. 60 requests a minute per API key, and it must not add more than a millisecond. What are my options?',
    )
    .step(
      'I should see how requests come in and whether there is shared state already.',
      'Let me look at the server and what it already depends on.',
      read('src/server.ts', SERVER),
      grep(
        'redis|ioredis',
        '.',
        'package.json:31:    "ioredis": "5.4.1",\nsrc/sessions/store.ts:4:import { Redis } from \'ioredis\';\n',
      ),
    )
    .answer(OPTIONS)
    .mark('options')
    .label('options', 'the three options')
    .user('Start with the token bucket in memory, I want to see how small it gets.', 3)
    .step('', 'Writing the bucket as a pure function of time first.', write('src/limits/token-bucket.ts', BUCKET))
    .step('', '', bash('npx vitest run src/limits', vitest('src/limits/token-bucket.test.ts', 6, 41)))
    .answer(
      'The bucket is 24 lines and takes about 0.4 µs a request. It counts **per process**: with four workers a key gets up to 240 a minute.',
    )
    .user('Four workers, so that is out. How would it look in Redis?', 6)
    .answer('Then the count must live in one place. Go back to the options and pick 2 or 3; the bucket itself can stay as it is.')
    .back('options', IN_MEMORY_LEFT)
    .user('Redis then, but a fixed window is too coarse: two bursts at the edge of a minute pass. Sliding window please.', 2)
    .step(
      'A sorted set per key: add now, drop everything older than a minute, count. One round trip with a Lua script.',
      'A sorted set per key, in one script so that it is one round trip.',
      write('src/limits/sliding-window.ts', SLIDING),
    )
    .step(
      '',
      '',
      bashFails(
        'npx vitest run src/limits',
        failing('src/limits/sliding-window.test.ts', 'lets the 61st request pass after a minute', '200', '429'),
      ),
    )
    .step(
      'The script compares with <= so a request exactly 60 s old still counts.',
      'Off by one at the edge of the window: `ZREMRANGEBYSCORE` is inclusive, so I subtract the window without the extra millisecond.',
      edit(
        'src/limits/sliding-window.ts',
        14,
        "redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - window - 1)",
        "redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - window)",
        ['local now = tonumber(ARGV[1])', 'local window = tonumber(ARGV[2])'],
        ["local used = redis.call('ZCARD', KEYS[1])"],
      ),
      bash('npx vitest run src/limits', vitest('src/limits/sliding-window.test.ts', 9, 212)),
    )
    .answer('Green. Cost: one round trip (0.3 ms on this machine) and up to 60 members a key, about 5 KB for a busy one.')
    .mark('sliding')
    .label('sliding', 'sliding window works')
    .user('Load test it with 200 connections.', 4)
    .step('', '', bash('npx autocannon -c 200 -d 20 http://localhost:3000/v1/public/rates', LOAD))
    .answer(LOAD_ANSWER)
    .user('0.9 ms at p99 is too close to my limit. What about counting locally and reconciling?', 9)
    .step(
      '',
      'Trying a hybrid: each worker takes tokens from Redis in lots of ten.',
      write('src/limits/leased-bucket.ts', LEASED),
    )
    .step('', '', bash('npx vitest run src/limits', vitest('src/limits/leased-bucket.test.ts', 11, 260)))
    .step(
      '',
      '',
      bash(
        'npx autocannon -c 200 -d 20 http://localhost:3000/v1/public/rates',
        LOAD.replace('0.91', '0.12').replace('0.38', '0.05'),
      ),
    )
    .answer(LEASE_ANSWER)
    .mark('leases')
    .back('sliding')
    .user('For the record: could we do it in nginx instead?', 25)
    .answer(NGINX)
    .back('leases', NGINX_LEFT)
    .label('leases', 'ship this')
    .user('Fine. Add the headers (RateLimit-Remaining, Retry-After) and write the changelog line.', 3)
    .step(
      '',
      '',
      edit(
        'src/server.ts',
        27,
        '  if (!allowed) return reply.code(429).send();',
        "  reply.header('RateLimit-Remaining', left);\n  if (!allowed) return reply.code(429).header('Retry-After', seconds).send();",
        [
          "app.addHook('onRequest', async (request, reply) => {",
          '  const { allowed, left, seconds } = await limiter.take(request.apiKey);',
        ],
        ['});'],
      ),
      edit(
        'CHANGELOG.md',
        5,
        '## Unreleased',
        '## Unreleased\n\n- Public routes allow 60 requests a minute per key and answer 429 with `Retry-After` beyond that.',
      ),
      bash('npm test -- --run', vitest('112 files', 847, 18_400)),
    )
    .answer('Done: both headers are set, all 847 tests pass, the changelog has its line.');
  return tale;
}

const SERVER = `import fastify from 'fastify';
import { authenticate } from './auth/authenticate.ts';
import { publicRoutes } from './routes/public.ts';

export function build(options: BuildOptions) {
  const app = fastify({ logger: options.logger, trustProxy: true });
  app.register(authenticate);
  app.register(publicRoutes, { prefix: '/v1/public' });
  return app;
}
`;

const OPTIONS = `Three that fit what is here:

| # | how | shared by all workers | cost a request |
|---|---|---|---|
| 1 | token bucket in memory | no | < 1 µs |
| 2 | fixed window in Redis | yes | 1 round trip |
| 3 | sliding window in Redis | yes, exact | 1 round trip, more memory |

You already run Redis for sessions, so 2 and 3 bring no new service. I would start with **3** unless memory matters, and keep the
algorithm behind one small interface:

\`\`\`ts
interface Limiter {
  take(key: string): Promise<{ allowed: boolean; left: number; seconds: number }>;
}
\`\`\``;

const BUCKET = `export interface Bucket {
  tokens: number;
  updated: number;
}

/** Takes one token at time \`now\` (ms); refills \`rate\` tokens a second up to \`size\`. */
export function take(bucket: Bucket, now: number, rate: number, size: number): boolean {
  const refill = ((now - bucket.updated) / 1000) * rate;
  bucket.tokens = Math.min(size, bucket.tokens + refill);
  bucket.updated = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
`;

const IN_MEMORY_LEFT = `Tried a token bucket in memory (src/limits/token-bucket.ts, 6 tests). It works and costs 0.4 µs, but each of the four workers counts for
itself, so a key gets up to four times its limit. Left for that reason; the bucket can be reused behind a shared store.`;

const SLIDING = `import type { Redis } from 'ioredis';

const SCRIPT = \`
local now = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - window - 1)
local used = redis.call('ZCARD', KEYS[1])
if used >= tonumber(ARGV[3]) then return {0, 0} end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return {1, tonumber(ARGV[3]) - used - 1}
\`;

export class SlidingWindow {
  constructor(private readonly redis: Redis, private readonly limit = 60, private readonly window = 60_000) {}
}
`;

const LEASED = `/** A worker takes tokens from the shared window in lots of ten and hands them out itself. */
export class LeasedBucket {
  private readonly leases = new Map<string, { tokens: number; until: number }>();

  async take(key: string, now: number): Promise<Verdict> {
    const lease = this.leases.get(key);
    if (lease !== undefined && lease.tokens > 0 && lease.until > now) {
      lease.tokens -= 1;
      return { allowed: true, left: lease.tokens, seconds: 0 };
    }
    return this.renew(key, now);
  }
}
`;

const LOAD = `Running 20s test @ http://localhost:3000/v1/public/rates
200 connections

┌─────────┬──────┬──────┬───────┬─────────┐
│ Added   │ p50  │ p90  │ p99   │ Max     │
├─────────┼──────┼──────┼───────┼─────────┤
│ ms      │ 0.38 │ 0.61 │ 0.91  │ 4.02    │
└─────────┴──────┴──────┴───────┴─────────┘
\u001b[32m402k requests in 20.03s\u001b[39m, 96.5 MB read
`;

const LOAD_ANSWER = `The limiter adds **0.38 ms** at the median and **0.91 ms** at p99. Inside the millisecond you gave, but without much air: a slow Redis
would show at once.`;

const LEASE_ANSWER = `Leases bring p99 down to **0.12 ms**: nine of ten requests never leave the process.

What it costs: a key spread over four workers can be refused up to 30 requests early, because leases that one worker holds are not
there for the others. They come back after two seconds. For a limit of 60 a minute I think that is fair; say so if not.`;

const NGINX = `Yes, \`limit_req_zone $http_x_api_key zone=keys:10m rate=1r/s\` with \`burst=60\`. It is cheap and exact per nginx instance. But you have two
load balancers, so it is the same per-process problem one level up, and the 429 body would no longer come from the API.`;

const NGINX_LEFT = `Considered nginx limit_req: cheap, but it counts per balancer (there are two) and the error body would not be ours. Not taken.`;

function vitest(what: string, passed: number, ms: number): string {
  return `\n\u001b[1m\u001b[46m RUN \u001b[49m\u001b[22m v3.1.4\n\n \u001b[32m✓\u001b[39m ${what} \u001b[2m(${passed} tests)\u001b[22m ${ms}ms\n\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m${passed} passed\u001b[39m\u001b[22m (${passed})\n`;
}

function failing(file: string, name: string, expected: string, received: string): string {
  return `\n \u001b[31m❯\u001b[39m ${file} \u001b[2m(9 tests | \u001b[31m1 failed\u001b[39m\u001b[2m)\u001b[22m 208ms\n   \u001b[31m× ${name}\u001b[39m\n     \u001b[31m→ expected ${received} to be ${expected}\u001b[39m\n\n\u001b[32m- Expected\u001b[39m\n\u001b[31m+ Received\u001b[39m\n\n\u001b[32m- ${expected}\u001b[39m\n\u001b[31m+ ${received}\u001b[39m\n\n      Tests  \u001b[31m1 failed\u001b[39m | \u001b[32m8 passed\u001b[39m (9)\n`;
}
