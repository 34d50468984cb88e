import { createHash } from 'node:crypto';

import { answered, carried, type WorkedCase } from './kit.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const buckets: WorkedCase[] = [
  {
    source: 'oh-my-pi 7 (at the first write)',
    name: 'a bucket of an absolute name moves into that of the folder for temporary files',
    dialect: 'musepi',
    run(world) {
      world.put('/agent/sessions/--tmp-foo--/carried.jsonl', carried('/tmp/foo'));
      const manager = world.create('/tmp/foo');
      const before = world.names('/agent/sessions');
      answered(manager);
      return [before, world.names('/agent/sessions'), world.names('/agent/sessions/-tmp-foo').includes('carried.jsonl')];
    },
    result: [['--tmp-foo--'], ['-tmp-foo'], true],
  },
  {
    source: 'oh-my-pi 8 (at the first write)',
    name: 'a bucket of a hashed name moves',
    dialect: 'musepi',
    run(world) {
      const hashed = `tmp-foo-${sha256('/tmp/foo')}`;
      world.put(`/agent/sessions/${hashed}/stranded.jsonl`, carried('/tmp/foo'));
      answered(world.create('/tmp/foo'));
      return [world.names('/agent/sessions'), world.names('/agent/sessions/-tmp-foo').includes('stranded.jsonl')];
    },
    result: [['-tmp-foo'], true],
  },
];
