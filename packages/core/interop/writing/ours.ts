import { SessionManager } from '@stemma/core';

import type { EntryRef, Step } from './steps.ts';

/** What a writer holds after its steps, and what it finds when it opens the file again. */
export interface Written {
  path: string;
  entries: Record<string, unknown>[];
  leaf: string | null;
  name: string | null;
  context: Record<string, unknown>;
}

export interface WriteRequest {
  action: 'create' | 'open' | 'fork';
  cwd: string;
  dir: string;
  path?: string;
  steps: readonly Step[];
  branchAt?: EntryRef;
}

/** What the clients' drivers do, done by our own manager. */
export async function writeOurs(request: WriteRequest, dialect: 'musepi' | 'pi'): Promise<Written> {
  const { action, cwd, dir, path, steps, branchAt } = request;
  const options = { dialect };
  const manager =
    action === 'create'
      ? SessionManager.create(cwd, dir, options)
      : action === 'open'
        ? SessionManager.open(path!, dir, undefined, options)
        : SessionManager.forkFrom(path!, cwd, dir, options);
  let last = manager;
  try {
    for (const step of steps) await take(manager, step);
    if (branchAt !== undefined) last = manager.createBranchedSession(idOf(manager, branchAt));
    return {
      path: last.getSessionFile()!,
      entries: last.getEntries() as unknown as Record<string, unknown>[],
      leaf: last.getLeafId(),
      name: last.getSessionName() ?? null,
      context: last.buildSessionContext() as unknown as Record<string, unknown>,
    };
  } finally {
    await manager.close();
    if (last !== manager) await last.close();
  }
}

type Taker = (manager: SessionManager, ...args: never[]) => unknown;

const TAKERS: Record<string, Taker> = {
  message: (manager, message: never) => manager.appendMessage(message),
  model: (manager, provider: string, id: string, role?: string) => manager.appendModelChange(provider, id, role),
  thinking: (manager, level: string) => manager.appendThinkingLevelChange(level),
  tier: (manager, tiers: never) => manager.appendServiceTierChange(tiers),
  mode: (manager, mode: string, data: never) => manager.appendModeChange(mode, data),
  rules: (manager, rules: string[]) => manager.appendTtsrInjection(rules),
  init: (manager, init: never) => manager.appendSessionInit(init),
  compaction: (manager, summary: string, kept: string, tokens: number) => manager.appendCompaction(summary, kept, tokens),
  summary: (manager, from: string | null, text: string) => manager.branchWithSummary(from, text),
  custom: (manager, type: string, data: unknown) => manager.appendCustomEntry(type, data),
  customMessage: (manager, type: string, content: string, display: boolean, details: unknown) =>
    manager.appendCustomMessageEntry(type, content, display, details),
  label: (manager, target: string, label: string | null) => manager.appendLabelChange(target, label ?? undefined),
  branch: (manager, id: string) => {
    manager.branch(id);
  },
  reset: (manager) => {
    manager.resetLeaf();
  },
  name: (manager, name: string) => manager.setSessionName(name, 'user'),
} as const;

async function take(manager: SessionManager, [name, ...args]: Step): Promise<void> {
  const meant = args.map((arg) => (isRef(arg) ? idOf(manager, arg) : arg));
  await TAKERS[name]!(manager, ...(meant as never[]));
}

function isRef(arg: unknown): arg is EntryRef {
  return typeof arg === 'object' && arg !== null && '$entry' in arg;
}

function idOf(manager: SessionManager, { $entry }: EntryRef): string {
  const entries = manager.getEntries();
  return entries[$entry % entries.length]!.id;
}
