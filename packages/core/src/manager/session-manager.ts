import { buildSessionContext } from '../context/build-context.ts';
import type { ContextOptions, SessionContext } from '../context/types.ts';
import type { SessionEntry, SessionHeader } from '../entries/entry.ts';
import type { AgentMessage, ContentBlock } from '../entries/messages.ts';
import type { Problem } from '../problems.ts';
import type { WritingShapes } from '../shapes/define-shapes.ts';
import { branchSession, forkOfSession } from './branching.ts';
import { InterruptedTurn } from './interrupted-turn.ts';
import type { Ground } from './ground.ts';
import { groundFor, groundForFile, groundToOpen, memoryGround } from './grounds.ts';
import { listAll, listProject } from './listing.ts';
import { moveSession } from './move.ts';
import { cleanName, nameOf, renamed } from './names.ts';
import * as make from './new-entries.ts';
import type { CompactionOptions, NewEntry, SessionInit } from './new-entries.ts';
import type { ForkOptions, NewSessionOptions, SessionManagerOptions } from './options.ts';
import { continueSession, forkFile, openOther, openSession, startSession, type OpenSession } from './sessions.ts';
import { addStorable, checkEntries } from './storable.ts';
import { treeNodes, type SessionTreeNode } from './tree-nodes.ts';

/**
 * One session: its entries as a tree, where the conversation stands in it (the leaf), and the handle through which it is
 * stored. Appending makes a child of the leaf, which becomes the leaf. Nothing is stored before the first answer of an
 * assistant; from then on every append is on disk when it returns. An append that could not be written throws
 * `storage_io` and keeps its entry in memory: later appends, `flush` and `close` try again.
 */
export class SessionManager {
  #ground: Ground;
  #writes: WritingShapes;
  #session: OpenSession;
  #interrupted: InterruptedTurn;

  private constructor(ground: Ground, session: OpenSession) {
    this.#ground = ground;
    this.#writes = ground.store.shapes.writes;
    this.#session = session;
    this.#interrupted = new InterruptedTurn(session.loaded);
  }

  /** A new session for a working directory. Creates no file. @param sessionDir the folder for its file, instead of the project's */
  static create(cwd: string, sessionDir?: string, options: SessionManagerOptions = {}): SessionManager {
    const ground = groundFor(sessionDir, options);
    return new SessionManager(ground, startSession(ground, { id: options.sessionId, cwd }));
  }

  /**
   * Opens a session file for writing. One that is missing or empty gets its header at once; one without a valid header is
   * not touched before the first write, which keeps its bytes beside it.
   * @param sessionDir where further sessions are put; by default beside the file
   * @throws `session_owned`, `storage_io`
   */
  static open(path: string, sessionDir?: string, cwdOverride?: string, options: SessionManagerOptions = {}): SessionManager {
    const ground = groundForFile(path, sessionDir, options);
    return new SessionManager(ground, openSession(ground, path, cwdOverride, options.sessionId));
  }

  /** Goes on with what this terminal had open, else with the project's last session, else with a new one. Never with another project's. */
  static continueRecent(cwd: string, sessionDir?: string, options: SessionManagerOptions = {}): SessionManager {
    const ground = groundFor(sessionDir, options);
    const { session, moveHere } = continueSession(ground, cwd, options.sessionId);
    const manager = new SessionManager(ground, session);
    // What goes wrong with it is logged; the session is usable where it is.
    if (moveHere) manager.moveTo(cwd).catch((error: unknown) => ground.warn('The session could not be moved.', error));
    return manager;
  }

  /** A session that is gone with the process. */
  static inMemory(cwd: string = process.cwd(), options: SessionManagerOptions = {}): SessionManager {
    const ground = memoryGround(options);
    return new SessionManager(ground, startSession(ground, { id: options.sessionId, cwd }));
  }

  /** Copies a session, with all its branches, into another project. It is stored at once; the source is left alone. @throws `session_not_found`, `session_invalid` */
  static forkFrom(sourcePath: string, targetCwd: string, sessionDir?: string, options: ForkOptions = {}): SessionManager {
    const ground = groundFor(sessionDir, options);
    return new SessionManager(ground, forkFile(ground, sourcePath, targetCwd, options));
  }

  /** The sessions of a project, newest first: `list(cwd, sessionDir?, options?)`. Looking never writes. */
  static readonly list = listProject;

  /** The sessions of all projects, newest first: `listAll(options?)`. */
  static readonly listAll = listAll;

  /** Leaves this session, stored as far as it is to be, for a new one. Answers its file. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    this.#become(() => startSession(this.#ground, { ...options, cwd: this.#session.cwd }));
    return this.getSessionFile();
  }

  /** Leaves this session for another file; see `open`. */
  setSessionFile(path: string): void {
    const ground = groundToOpen(path, this.#ground);
    this.#become(() => openOther(ground, path, this.#session), ground);
  }

  /** Goes on in a copy of the session, a file of its own that is written at once. Undefined in memory. */
  fork(): { oldSessionFile: string; newSessionFile: string } | undefined {
    const oldSessionFile = this.getSessionFile();
    if (oldSessionFile === undefined) return undefined;
    this.#become(() => forkOfSession(this.#ground, this.#session));
    return { oldSessionFile, newSessionFile: this.getSessionFile()! };
  }

  /** One branch as a session of its own, labels in force included. This session is left alone. @throws `entry_not_found` */
  createBranchedSession(leafId: string): SessionManager {
    this.#session.tree.mustHave(leafId);
    return new SessionManager(this.#ground, branchSession(this.#ground, this.#session, leafId));
  }

  /** Gives the session another working directory, and its file the place that goes with it. */
  moveTo(cwd: string): Promise<void> {
    return moveSession(this.#ground, this.#session, cwd);
  }

  /** For good, with its artifacts. The manager is closed. */
  async delete(): Promise<void> {
    const { handle } = this.#session.writer;
    const { stored } = handle;
    await this.#session.writer.abandon();
    if (stored) await this.#ground.forget(handle);
  }

  // Appending. Every method answers the id of the new entry.

  /** @throws `invalid_argument` for what has no role */
  appendMessage(value: AgentMessage): string {
    return this.#append(make.newMessage(value));
  }
  appendThinkingLevelChange(level: string | null): string {
    return this.#append(make.newThinkingLevel(level, this.#writes));
  }
  appendModelChange(provider: string, modelId: string, role?: string): string {
    return this.#append(make.newModel(provider, modelId, role, this.#writes));
  }
  appendServiceTierChange(serviceTier: Record<string, string> | string | null): string {
    return this.#append(make.newServiceTier(serviceTier));
  }
  /** @throws `entry_not_found` for a first kept entry that is not there */
  appendCompaction(summary: string, firstKeptEntryId: string, tokensBefore: number, options: CompactionOptions = {}): string {
    this.#session.tree.mustHave(firstKeptEntryId);
    return this.#append(make.newCompaction(summary, firstKeptEntryId, tokensBefore, options, this.#writes));
  }
  /** Notes at the leaf what was tried on a branch. @param branchFromId null: from the beginning @throws `entry_not_found` */
  appendBranchSummary(branchFromId: string | null, summary: string, details?: unknown, fromExtension?: boolean): string {
    if (branchFromId !== null) this.#session.tree.mustHave(branchFromId);
    return this.#append(make.newBranchSummary(branchFromId, summary, details, fromExtension, this.#writes));
  }
  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append(make.newCustom(customType, data));
  }
  appendCustomMessageEntry(
    customType: string,
    content: string | ContentBlock[],
    display: boolean,
    details?: unknown,
    attribution?: 'user' | 'agent',
  ): string {
    return this.#append(make.newCustomMessage(customType, content, display, details, attribution, this.#writes));
  }
  /** Without a label, or with an empty one, the target's label is taken away. @throws `entry_not_found` */
  appendLabelChange(targetId: string, label?: string): string {
    this.#session.tree.mustHave(targetId);
    return this.#append(make.newLabel(targetId, label));
  }
  appendTtsrInjection(injectedRules: string[]): string {
    return this.#append(make.newTtsrInjection(injectedRules));
  }
  appendSessionInit(init: SessionInit): string {
    return this.#append(make.newSessionInit(init));
  }
  appendModeChange(mode: string, data?: unknown): string {
    return this.#append(make.newMode(mode, data));
  }
  appendSessionInfo(name: string): string {
    return this.#append(make.newSessionInfo(cleanName(name)));
  }

  // The leaf.

  /** The next entry becomes a child of this one. Nothing is written. @throws `entry_not_found` */
  branch(id: string): void {
    this.#session.tree.mustHave(id);
    this.#moveLeaf(id);
  }
  /** The next entry becomes a root. */
  resetLeaf(): void {
    this.#moveLeaf(null);
  }
  /** Moves the leaf and notes there what was left. An empty summary makes the place last. @param id null: to the beginning */
  branchWithSummary(id: string | null, summary: string, details?: unknown, fromExtension?: boolean): string {
    if (id !== null) this.#session.tree.mustHave(id);
    this.#session.writer.checkOpen();
    const from = this.#writes.branchFrom === 'leaf' ? this.getLeafId() : id;
    this.#moveLeaf(id);
    return this.#append(make.newBranchSummary(from, summary, details, fromExtension, this.#writes));
  }

  /** False for a name that cannot be given, and for one made up (`auto`) where a person has given one. */
  async setSessionName(name: string, source: 'auto' | 'user' = 'auto'): Promise<boolean> {
    const { writer } = this.#session;
    const change = renamed(name, source, writer.header, this.#ground.store.shapes);
    if (change !== null) await writer.setHeader(change.header, () => this.#append(change.entry));
    return change !== null;
  }

  /** Stores the session anew, with other entries where some are given. @throws `invalid_argument` for what is no entry */
  async rewriteEntries(entries?: readonly SessionEntry[]): Promise<void> {
    if (entries !== undefined) checkEntries(entries);
    return this.#session.writer.rewrite(entries);
  }

  /** Resolves when everything is stored that is to be. @throws `storage_io` */
  flush(): Promise<void> {
    return this.#session.writer.flush();
  }
  flushSync(): void {
    this.#session.writer.flushSync();
  }
  /** Flushes and lets go of the session, in any case. Rejects with the first error that kept something from being stored. */
  close(): Promise<void> {
    return this.#session.writer.close();
  }

  // Asking.

  /** What is wrong with the session, and what others did to it since it was opened. */
  get problems(): Problem[] {
    return this.#session.writer.problems;
  }
  getSessionFile(): string | undefined {
    return this.#session.writer.handle.path ?? undefined;
  }
  getSessionId(): string {
    return this.getHeader().id;
  }
  getHeader(): SessionHeader {
    return this.#session.writer.header;
  }
  getCwd(): string {
    return this.#session.cwd;
  }
  /** In file order, without the header. */
  getEntries(): SessionEntry[] {
    return [...this.#session.tree.entries];
  }
  getEntry(id: string): SessionEntry | undefined {
    return this.#session.tree.get(id);
  }
  getChildren(id: string): SessionEntry[] {
    return [...this.#session.tree.children(id)];
  }
  /** From the root to an entry, by default the leaf; empty for an unknown id. */
  getBranch(fromId: string | null = this.getLeafId()): SessionEntry[] {
    return this.#session.tree.branch(fromId);
  }
  getTree(): SessionTreeNode[] {
    return treeNodes(this.#session.tree);
  }
  getLabel(id: string): string | undefined {
    return this.#session.tree.labels().get(id)?.label;
  }
  getLeafId(): string | null {
    return this.#session.tree.leafId;
  }
  getLeafEntry(): SessionEntry | undefined {
    return this.getEntry(this.getLeafId() ?? '');
  }
  getSessionName(): string | undefined {
    return nameOf(this.getHeader(), this.#session.tree.entries, this.#ground.store.shapes);
  }
  /** What a model call at the leaf carries, by the rules of the session's dialect. */
  buildSessionContext(options: ContextOptions = {}): SessionContext {
    const entries = this.#session.tree.entries as SessionEntry[];
    return buildSessionContext(entries, this.getLeafId(), undefined, { rules: this.#ground.store.shapes.id, ...options });
  }

  #append(fresh: NewEntry): string {
    const { writer, tree } = this.#session;
    writer.checkOpen();
    for (const closer of this.#interrupted.closersBefore(fresh, tree, this.#ground.now))
      tree.add(this.#ground.entry(closer, tree));
    const entry = this.#ground.entry(fresh, tree);
    addStorable(entry, tree, writer);
    return entry.id;
  }

  #moveLeaf(id: string | null): void {
    if (id !== this.getLeafId()) this.#interrupted = new InterruptedTurn(false);
    this.#session.tree.moveLeaf(id);
  }

  #become(next: () => OpenSession, ground = this.#ground): void {
    const { writer } = this.#session;
    writer.flushSync();
    this.#session = next();
    this.#ground = ground;
    this.#writes = ground.store.shapes.writes;
    this.#interrupted = new InterruptedTurn(this.#session.loaded);
    // It is stored; what can still go wrong is to let go of it.
    if (this.#session.writer !== writer) this.#ground.letGo(writer);
  }
}
