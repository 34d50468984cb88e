/** An agent: what is said is kept in a session, and the next start goes on with it. `tsx agent-loop.ts "a prompt"` */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { SessionManager, type AgentMessage } from '@stemma/core';
import { HistoryStorage } from '@stemma/core/history';

import { callsOf, fakeModel, textOf } from './fake-model.ts';

const TOOLS: Record<string, (args: Record<string, unknown>) => string> = {
  list_files: ({ path }) => readdirSync(String(path)).sort().join('\n'),
};

async function turn(session: SessionManager, prompt: string): Promise<string> {
  session.appendMessage({ role: 'user', content: prompt, timestamp: Date.now() });
  for (;;) {
    const answer = await fakeModel(session.buildSessionContext().messages);
    // On disk from here on, whatever happens to this process.
    session.appendMessage(answer);
    const calls = callsOf(answer);
    if (calls.length === 0) return textOf(answer);
    for (const { id, name, arguments: args } of calls) session.appendMessage(result(id, name, args));
  }
}

function result(toolCallId: string, toolName: string, args: Record<string, unknown>): AgentMessage {
  const reply = (text: string, isError: boolean): AgentMessage => {
    return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError, timestamp: Date.now() };
  };
  try {
    return reply(TOOLS[toolName]!(args), false);
  } catch (error) {
    return reply(String(error), true);
  }
}

const prompt = process.argv.slice(2).join(' ') || 'Which files are here?';
const session = SessionManager.continueRecent(process.cwd());
const history = HistoryStorage.open(join(process.env['PI_CODING_AGENT_DIR'] ?? join(homedir(), '.musepi/agent'), 'history.db'));
void history.add(prompt, session.getCwd(), session.getSessionId());
console.log(await turn(session, prompt));
console.log(`${String(session.getEntries().length)} entries in ${session.getSessionFile() ?? 'memory'}`);
await Promise.all([session.close(), history.close()]);
