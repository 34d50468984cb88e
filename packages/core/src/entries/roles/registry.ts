import { clipJson } from '../parts.ts';
import { itemBase } from '../define-entry.ts';
import { contentFacts } from '../content.ts';
import { assistant } from './assistant.ts';
import { custom, hookMessage } from './custom.ts';
import { fileMention } from './file-mention.ts';
import { defineRole, type MessageRole } from './define-role.ts';
import { bashExecution, pythonExecution } from './execution.ts';
import { branchSummary, compactionSummary } from './summaries.ts';
import { system } from './system.ts';
import { toolResult } from './tool-result.ts';
import { developer, user } from './user.ts';

/** The only list of message roles. */
const ROLES: readonly MessageRole[] = [
  user,
  developer,
  fileMention,
  assistant,
  toolResult,
  bashExecution,
  pythonExecution,
  custom,
  hookMessage,
  branchSummary,
  compactionSummary,
  system,
];

const byName = new Map(ROLES.map((role) => [role.role, role]));

/** A role that we do not know: kept and shown as it is. */
const unknownRole = defineRole({
  role: '',
  describe(message, facts) {
    const content = contentFacts(message['content']);
    facts.title = content.firstText;
    facts.chars = content.chars;
  },
  items: (message, place) => [
    {
      ...itemBase(place, 0),
      kind: 'unknown',
      type: typeof message['role'] === 'string' ? message['role'] : '',
      ...clipJson(message),
    },
  ],
});

export function messageRole(role: string): MessageRole {
  return byName.get(role) ?? unknownRole;
}

export const MESSAGE_ROLES: readonly string[] = ROLES.map((role) => role.role);
