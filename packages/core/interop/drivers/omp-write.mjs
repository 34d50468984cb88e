/** Lets oh-my-pi itself write sessions: `bun omp-write.mjs <folder where it is installed>`. */
import { serveWriting } from './serve-writing.mjs';

const load = (name) => import(Bun.resolveSync(`@oh-my-pi/pi-coding-agent/session/${name}`, process.argv[2]));
const { SessionManager } = await load('session-manager');

await serveWriting({
  async make({ action, cwd, dir, path }) {
    if (action === 'create') return SessionManager.create(cwd, dir);
    return action === 'open' ? SessionManager.open(path, dir) : SessionManager.forkFrom(path, cwd, dir);
  },
  steps: {
    message: (manager, message) => manager.appendMessage(message),
    model: (manager, provider, id, role) => manager.appendModelChange(`${provider}/${id}`, role),
    thinking: (manager, level) => manager.appendThinkingLevelChange(level),
    tier: (manager, tiers) => manager.appendServiceTierChange(tiers),
    mode: (manager, mode, data) => manager.appendModeChange(mode, data),
    rules: (manager, rules) => manager.appendTtsrInjection(rules),
    init: (manager, init) => manager.appendSessionInit(init),
    compaction: (manager, summary, kept, tokens) => manager.appendCompaction(summary, undefined, kept, tokens),
    summary: (manager, from, text) => manager.branchWithSummary(from, text),
    custom: (manager, type, data) => manager.appendCustomEntry(type, data),
    customMessage: (manager, ...args) => manager.appendCustomMessageEntry(...args),
    label: (manager, target, label) => manager.appendLabelChange(target, label ?? undefined),
    branch: (manager, id) => manager.branch(id),
    reset: (manager) => manager.resetLeaf(),
    name: (manager, name) => manager.setSessionName(name, 'user'),
  },
  async state(manager) {
    const answer = {
      path: manager.getSessionFile(),
      entries: manager.getEntries(),
      leaf: manager.getLeafId(),
      name: manager.getSessionName(),
      context: manager.buildSessionContext(),
    };
    await manager.flush();
    await manager.close();
    return answer;
  },
});
