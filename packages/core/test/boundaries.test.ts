import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** What a module imports or re-exports, types too, in order. */
function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const statement = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(statement)].map((match) => match[1] ?? match[2] ?? '');
}

/** Every module reachable from a file of this package, with the chain that leads to it. */
function reach(entry: string): Map<string, string[]> {
  const chains = new Map<string, string[]>([[entry, [entry]]]);
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const chain = chains.get(file) ?? [];
    if (!file.startsWith('/')) continue;
    for (const name of importsOf(readFileSync(file, 'utf8'))) {
      const target = name.startsWith('.') ? path.resolve(path.dirname(file), name) : name;
      if (chains.has(target)) continue;
      chains.set(target, [...chain, target]);
      open.push(target);
    }
  }
  return chains;
}

describe('importsOf', () => {
  it.each([
    [`import { a } from 'node:fs';`, ['node:fs']],
    [`import type { A } from './a.ts';\nexport * from "./b.ts";`, ['./a.ts', './b.ts']],
    [`import {\n  a,\n  b,\n} from './long.ts';`, ['./long.ts']],
    [`import './effect.ts'; const x = await import('node:zlib');`, ['./effect.ts', 'node:zlib']],
    [`// import { a } from 'node:fs'\n/* export * from 'x' */`, []],
  ])('%j', (source, expected) => {
    expect(importsOf(source)).toEqual(expected);
  });
});

describe('@stemma/core/pure', () => {
  const reached = reach(path.join(SOURCE, 'pure.ts'));

  it('reaches modules that exist', () => {
    const files = [...reached.keys()].filter((target) => target.startsWith('/'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('reaches no module of Node, so that it runs in a browser', () => {
    const node = [...reached].filter(([target]) => target.startsWith('node:')).map(([, chain]) => chain.join(' → '));
    expect(node).toEqual([]);
  });

  it('reaches no folder that does input or output', () => {
    const forbidden = /\/src\/(disk|storage|store|manager|history|paths|corpus|testing)\//;
    expect([...reached.keys()].filter((target) => forbidden.test(target))).toEqual([]);
  });
});
