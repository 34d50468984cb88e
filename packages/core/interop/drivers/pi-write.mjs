/** Lets Pi itself (any version) write sessions: `node pi-write.mjs <entry module of the package>`. */
import { pathToFileURL } from 'node:url';

import { serveWriting } from './serve-writing.mjs';

const { SessionManager } = await import(pathToFileURL(process.argv[2]).href);

await serveWriting({
  async make({ action, cwd, dir, path }) {
    if (action === 'create') return SessionManager.create(cwd, dir);
    return action === 'open' ? SessionManager.open(path, dir) : SessionManager.forkFrom(path, cwd, dir);
  },
  steps: {
    message: (manager, message) => manager.appendMessage(message),
    model: (manager, provider, id) => manager.appendModelChange(provider, id),
    thinking: (manager, level) => manager.appendThinkingLevelChange(level),
    compaction: (manager, summary, kept, tokens) => manager.appendCompaction(summary, kept, tokens),
    summary: (manager, from, text) => manager.branchWithSummary(from, text),
    custom: (manager, type, data) => manager.appendCustomEntry(type, data),
    customMessage: (manager, ...args) => manager.appendCustomMessageEntry(...args),
    label: (manager, target, label) => manager.appendLabelChange(target, label ?? undefined),
    branch: (manager, id) => manager.branch(id),
    reset: (manager) => manager.resetLeaf(),
    name: (manager, name) => manager.appendSessionInfo(name),
  },
  state: async (manager) => ({
    path: manager.getSessionFile(),
    entries: manager.getEntries(),
    leaf: manager.getLeafId(),
    name: manager.getSessionName(),
    context: manager.buildSessionContext(),
  }),
});
