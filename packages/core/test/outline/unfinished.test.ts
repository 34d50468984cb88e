import { describe, expect, it } from 'vitest';

import { hasFlag } from '../../src/pure.ts';
import { session } from '../../src/testing/index.ts';
import { decode } from '../support/decode.ts';

describe('a turn that did not stop by itself', () => {
  it.each([
    ['stop', false],
    ['toolUse', false],
    [undefined, false],
    ['length', true],
    ['error', true],
    ['aborted', true],
    ['a reason of tomorrow', true],
  ])('stop reason %s: unfinished is %s', (stopReason, unfinished) => {
    const { outline } = decode(session().message('assistant', { content: [], stopReason }));
    expect(hasFlag(outline.flags(0), 'unfinished')).toBe(unfinished);
  });
});
