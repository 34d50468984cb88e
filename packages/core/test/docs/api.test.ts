import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format } from 'node:util';

import ts from 'typescript';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import { ERROR_CODES } from '../../src/index.ts';
import { examplesOf, type Example } from './examples.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/api.md');
const SOURCE = path.resolve(import.meta.dirname, '../../src');
const MODULES: Record<string, string> = {
  '@stemma/core': path.join(SOURCE, 'index.ts'),
  '@stemma/core/history': path.join(SOURCE, 'history', 'index.ts'),
};

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stemma-docs-')));
const examples = examplesOf(PAGE);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The example as a file, which imports the sources instead of what is built. */
function write({ code, line }: Example): string {
  const at = path.join(folder, `line-${String(line)}.ts`);
  writeFileSync(
    at,
    code.replace(/from '(@stemma\/[^']+)'/g, (_all, name: string) => `from '${MODULES[name] ?? name}'`),
  );
  return at;
}

/** A home folder without agents: examples write where a program of a person's would write. */
function withEmptyHome(): void {
  const home = mkdtempSync(path.join(folder, 'home-'));
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
  for (const name of ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR']) vi.stubEnv(name, undefined);
  const temporary = path.join(home, 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
}

describe('the examples of the API page', { timeout: 60_000 }, () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('are there, one for nearly every section', () => {
    const sections = readFileSync(PAGE, 'utf8').match(/^## /gm) ?? [];
    expect(examples.length).toBeGreaterThanOrEqual(sections.length - 1);
  });

  it.each(examples)('print what stands beside them: $name', async (example) => {
    withEmptyHome();
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(format(...values)));
    await import(write(example));
    expect(printed).toEqual(example.prints);
    expect(printed.length).toBeGreaterThan(0);
  });

  it('have no faults of type', { timeout: 120_000 }, () => {
    const files = examples.map(write);
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [path.resolve(SOURCE, '../../../node_modules/@types')],
    };
    // Beside the sources of this package files of it are ECMAScript modules.
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    const program = ts.createProgram(files, options);
    const faults = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
    expect(faults.map(({ file, start, messageText }) => place(file, start, messageText))).toEqual([]);
  });
});

function place(file: ts.SourceFile | undefined, start: number | undefined, text: string | ts.DiagnosticMessageChain): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return `${path.basename(file?.fileName ?? '')}, line ${String(line)} of it: ${ts.flattenDiagnosticMessageText(text, ' ')}`;
}

describe('the table of errors', () => {
  it('names codes that there are', () => {
    const table = readFileSync(PAGE, 'utf8').split('## Errors')[1] ?? '';
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((code) => !ERROR_CODES.includes(code as (typeof ERROR_CODES)[number]))).toEqual([]);
  });
});
