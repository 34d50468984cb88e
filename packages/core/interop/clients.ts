import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A real client: which package in which version, and what it runs on. */
export interface Client {
  key: 'pi' | 'pi-old' | 'oh-my-pi';
  title: string;
  package: string;
  version: string;
  /** Folder below the interop folder. */
  folder: string;
  runtime: 'own-node' | 'new-node' | 'bun';
  /** It keeps prompts in a database. */
  hasHistory?: boolean;
}

export const CLIENTS: readonly Client[] = [
  {
    key: 'pi',
    title: 'Pi 1.6.0',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    folder: 'pi-1.6.0',
    runtime: 'new-node',
  },
  {
    key: 'pi-old',
    title: 'Pi 0.73.1',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    folder: 'pi-0.73.1',
    runtime: 'own-node',
  },
  {
    key: 'oh-my-pi',
    title: 'oh-my-pi 18.2.3',
    package: '@oh-my-pi/pi-coding-agent',
    version: '18.2.3',
    folder: 'oh-my-pi-18.2.3',
    runtime: 'bun',
    hasHistory: true,
  },
];

const NEW_NODE = { major: 22, minor: 19, version: '24.21.0' };
const BUN_VERSION = '1.4.5';

/** Where clients are installed: never inside the workspace. */
export function interopFolder(): string {
  return resolve(process.env['STEMMA_INTEROP_DIR'] ?? join(tmpdir(), 'stemma-interop'));
}

export interface InstalledClient {
  client: Client;
  /** Program and arguments of its driver. */
  command: [string, ...string[]];
}

/** What a driver lets its client do. */
export type Driver = 'reading' | 'listing' | 'writing' | 'history';

const DRIVERS: Record<Driver, { pi: string | null; omp: string }> = {
  reading: { pi: 'pi.mjs', omp: 'omp.mjs' },
  listing: { pi: 'pi-list.mjs', omp: 'omp-list.mjs' },
  writing: { pi: 'pi-write.mjs', omp: 'omp-write.mjs' },
  history: { pi: null, omp: 'omp-history.mjs' },
};

/** The client ready to run, installed first when it is missing. Throws an error whose message is for people. */
export function prepareClient(client: Client, drivers: string, install: boolean, driver: Driver = 'reading'): InstalledClient {
  const ensure = ensuring(install);
  const folder = ensure(client.folder, client.package, client.version);
  const packageFolder = join(folder, 'node_modules', client.package);
  if (client.runtime === 'bun') {
    return { client, command: [bun(ensure), join(drivers, DRIVERS[driver].omp), folder] };
  }
  const node = client.runtime === 'own-node' ? process.execPath : newNode(ensure);
  const { pi } = DRIVERS[driver];
  if (pi === null) throw new Error(`There is no driver "${driver}" for it.`);
  return { client, command: [node, join(drivers, pi), join(packageFolder, 'dist', 'index.js')] };
}

const HARNESS = { package: '@deepseek-ai/dsh-session-persistence-jsonl', version: '0.1.0-rc.8', folder: 'dsh' };

/** The store of DeepSeek Harness ready to run, installed with its peers first when it is missing. Throws as `prepareClient`. */
export function prepareHarness(drivers: string, install: boolean): Pick<InstalledClient, 'command'> {
  const ensure = ensuring(install);
  const folder = ensure(HARNESS.folder, HARNESS.package, HARNESS.version, 'with-peers');
  return { command: [newNode(ensure), join(drivers, 'dsh-write.mjs'), folder] };
}

type Ensure = (folder: string, name: string, version: string, peers?: 'with-peers') => string;

const ensuring =
  (install: boolean): Ensure =>
  (folder, name, version, peers) =>
    ensurePackage(folder, name, version, install, peers);

function newNode(ensure: Ensure): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NEW_NODE.major || (major === NEW_NODE.major && minor >= NEW_NODE.minor)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  return join(ensure('node', name, NEW_NODE.version), 'node_modules', name, 'bin', 'node');
}

function bun(ensure: Ensure): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const name = `@oven/bun-${process.platform}-${arch}`;
  return join(ensure('bun', name, BUN_VERSION), 'node_modules', name, 'bin', 'bun');
}

/** Installs one package in that version without its scripts, unless it is there. Answers the folder it is installed in. */
function ensurePackage(folderName: string, name: string, version: string, install: boolean, peers?: 'with-peers'): string {
  const folder = join(interopFolder(), folderName);
  if (installedVersion(folder, name) === version) return folder;
  if (!install) {
    throw new Error(`${name} ${version} is not installed in ${folder}. Run without --no-install, or install it there with npm.`);
  }
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "name": "stemma-interop", "private": true }\n');
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
    if (peers === undefined) flags.push('--legacy-peer-deps');
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n')[0] ?? String(error);
    throw new Error(`${name} ${version} is not installed and npm could not install it into ${folder}: ${said}`, { cause: error });
  }
  return folder;
}

function installedVersion(folder: string, name: string): string | null {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
