import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateCorpus, writeCorpus } from '@stemma/core/corpus';

import { listAllSessions, listSessions } from '../../src/discovery/listing.ts';
import { resolveResumableSession } from '../../src/discovery/resolve.ts';
import type { SessionInfo } from '../../src/discovery/session-info.ts';
import type { ClientProcess } from '../client-process.ts';
import type { Client } from '../clients.ts';
import { Random } from '../random.ts';

export interface ListingTally {
  sessions: number;
  /** Rows of lists, their orders, and answers to what somebody resumes. */
  compared: number;
  different: number;
}

/** A row as the clients give it, through JSON. */
interface TheirInfo {
  path: string;
  id: string;
  cwd: string;
  name?: string;
  title?: string;
  parentSessionPath?: string;
  created: string;
  modified: string;
  messageCount: number;
  firstMessage: string;
  allMessagesText: string;
  size?: number;
  status?: string;
}

interface Answer {
  all: TheirInfo[];
  /** By the folder's name. */
  folders: Record<string, TheirInfo[]>;
  /** The paths that were found; null for none, absent where the client has no such function. */
  resumed?: (string | null)[];
}

const SESSIONS = 60;

/** A folder of sessions, some of them damaged, that a real client and we list; both must tell the same of it. */
export class ListingCampaign {
  readonly #client: Client;
  readonly #asked: ClientProcess;
  readonly #home: string;
  readonly #say: (line: string) => unknown;
  readonly #tally: ListingTally = { sessions: 0, compared: 0, different: 0 };

  constructor(client: Client, asked: ClientProcess, home: string, say: (line: string) => unknown) {
    this.#client = client;
    this.#asked = asked;
    this.#home = home;
    this.#say = say;
  }

  async run(seed: number): Promise<ListingTally> {
    const root = await this.#write(seed);
    const args = readdirSync(root).flatMap((folder) => sessionFiles(join(root, folder)).flatMap(argsFor));
    const answer = await this.#asked.request<Answer>({ root, args });
    if ('error' in answer) throw new Error(`The client: ${answer.error}`);
    const dialect = this.#dialect;
    this.#tally.sessions = answer.all.length;
    this.#list('all', await listAllSessions(undefined, { sessionsDir: root, dialect, full: true }), answer.all);
    for (const [folder, theirs] of Object.entries(answer.folders)) {
      this.#list(folder, await listSessions(join(root, folder), undefined, { dialect, full: true }), theirs);
      // Where the last prompt or answer is longer than the end that is read, only the whole file dates a session of Pi.
      if (dialect === 'musepi') this.#order(folder, await listSessions(join(root, folder), undefined, { dialect }), theirs);
    }
    for (const [i, arg] of args.entries()) await this.#resume(arg, answer.resumed?.[i]);
    return this.#tally;
  }

  get #dialect(): 'musepi' | 'pi' {
    return this.#client.key === 'oh-my-pi' ? 'musepi' : 'pi';
  }

  async #write(seed: number): Promise<string> {
    const agent = join(this.#home, 'agent');
    await writeCorpus(agent, generateCorpus({ seed, sessions: SESSIONS, shapes: this.#dialect, bytes: SESSIONS * 80_000 }));
    const root = join(agent, 'sessions');
    const random = new Random(seed);
    for (const folder of readdirSync(root)) {
      for (const file of sessionFiles(join(root, folder))) {
        damage(file, random);
        const time = 1_780_000_000 + random.int(0, 10_000_000);
        utimesSync(file, time, time);
      }
      writeFileSync(join(root, folder, 'empty.jsonl'), '');
      writeFileSync(join(root, folder, 'headerless.jsonl'), '{"type":"message","id":"a","message":{"role":"user"}}\n');
    }
    mkdirSync(join(root, 'nothing-in-it'));
    return root;
  }

  #list(where: string, ours: readonly SessionInfo[], theirs: readonly TheirInfo[]): void {
    this.#order(where, ours, theirs);
    const byPath = new Map(ours.map((info) => [info.path, info]));
    for (const info of theirs) {
      const own = byPath.get(info.path);
      this.#same(info.path, own === undefined ? null : this.#comparable(own, info), this.#expected(info));
    }
  }

  /** Forks end with the same message: which of them comes first is nobody's rule. */
  #order(where: string, ours: readonly SessionInfo[], theirs: readonly TheirInfo[]): void {
    const times = ours.map(({ modified }) => Math.floor(modified));
    this.#same(
      `order of ${where}`,
      times,
      theirs.map(({ modified }) => Date.parse(modified)),
    );
    this.#same(`files of ${where}`, paths(ours), paths(theirs));
  }

  async #resume(arg: string, theirs: string | null | undefined): Promise<void> {
    if (theirs === undefined) return;
    const found = await resolveResumableSession(arg, this.#home, undefined, { agentDir: join(this.#home, 'agent') });
    // Where several fit equally well the client takes the first one.
    const ours = found.kind === 'one' ? [found.session] : found.kind === 'several' ? found.sessions : [];
    this.#same(`resume ${arg}`, theirs === null ? ours.length === 0 : ours.some(({ path }) => path === theirs), true);
  }

  /**
   * oh-my-pi counts and joins what its first 4 KiB hold, and knows no name that is given later; Pi says nothing of size and
   * status.
   */
  #comparable({ name, parentSessionPath, firstMessage, modified, ...info }: SessionInfo, theirs: TheirInfo): unknown {
    const isLater = this.#dialect === 'musepi' && theirs.title === undefined;
    const names = [isLater ? undefined : name, parentSessionPath, firstMessage ?? NONE];
    const common = { ...info, modified: Math.floor(modified), names };
    const { messageCount: _count, allMessagesText: _text, ...ends } = common;
    if (this.#dialect === 'musepi') return ends;
    const { size: _size, status: _status, ...whole } = common;
    return whole;
  }

  #expected(info: TheirInfo): unknown {
    const { path, id, cwd, messageCount, allMessagesText, size, status } = info;
    const created = Date.parse(info.created);
    const common = { path, id, cwd, created, modified: Date.parse(info.modified) };
    const names = [info.name ?? info.title, info.parentSessionPath, info.firstMessage];
    return this.#dialect === 'musepi' ? { ...common, size, status, names } : { ...common, messageCount, allMessagesText, names };
  }

  #same(what: string, ours: unknown, theirs: unknown): void {
    this.#tally.compared++;
    if (canonical(ours) === canonical(theirs)) return;
    this.#tally.different++;
    this.#say(`  ${what}\n    ours   ${canonical(ours).slice(0, 600)}\n    theirs ${canonical(theirs).slice(0, 600)}`);
  }
}

function paths(list: readonly { path: string }[]): string[] {
  return list.map(({ path }) => path).sort();
}

const NONE = '(no messages)';

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  const sorted = (_: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, sorted);
}

function sessionFiles(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.jsonl') && statSync(file).isFile());
}

/** What somebody may type who means this file. */
function argsFor(file: string): string[] {
  const name = file.slice(file.lastIndexOf('/') + 1, -'.jsonl'.length);
  const id = name.slice(name.lastIndexOf('_') + 1);
  return [id, id.toUpperCase().slice(0, 20), name, name.slice(0, 16), `${id}x`];
}

/** Half of the files stay as they are. */
function damage(file: string, random: Random): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  switch (random.int(0, 9)) {
    case 0:
      lines.splice(random.int(2, lines.length), 0, '', 'no record', '{"type":"message","mess');
      break;
    case 1:
      lines.splice(-1, 1, '{"type":"message","id":"torn","message":{"role":"user","content":"cut');
      break;
    case 2:
      lines.pop();
      break;
    case 3:
      writeFileSync(file, lines.join('\r\n'));
      return;
    default:
      return;
  }
  writeFileSync(file, lines.join('\n'));
}
