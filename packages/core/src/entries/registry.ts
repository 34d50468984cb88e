import type { EntryKind } from './define-entry.ts';
import { unknownEntry } from './unknown.ts';
import { activeToolsChange } from './active-tools-change.ts';
import { archive } from './archive.ts';
import { branchSummary } from './branch-summary.ts';
import { compaction } from './compaction.ts';
import { contextEdit } from './context-edit.ts';
import { credentialPin } from './credential-pin.ts';
import { custom } from './custom.ts';
import { customMessage } from './custom-message.ts';
import { event } from './event.ts';
import { label } from './label.ts';
import { leaf } from './leaf.ts';
import { mcpToolSelection } from './mcp-tool-selection.ts';
import { message } from './message.ts';
import { modeChange } from './mode-change.ts';
import { modelChange } from './model-change.ts';
import { modelUsage } from './model-usage.ts';
import { request } from './request.ts';
import { resetBoundary } from './reset-boundary.ts';
import { serviceTierChange } from './service-tier-change.ts';
import { sessionInfo } from './session-info.ts';
import { sessionInit } from './session-init.ts';
import { thinkingLevelChange } from './thinking-level-change.ts';
import { titleChange } from './title-change.ts';
import { ttsrInjection } from './ttsr-injection.ts';
import { usage } from './usage.ts';

/** The only list of entry types. */
const KINDS: readonly EntryKind[] = [
  activeToolsChange,
  archive,
  branchSummary,
  compaction,
  contextEdit,
  credentialPin,
  custom,
  customMessage,
  event,
  label,
  leaf,
  mcpToolSelection,
  message,
  modeChange,
  modelChange,
  modelUsage,
  request,
  resetBoundary,
  serviceTierChange,
  sessionInfo,
  sessionInit,
  thinkingLevelChange,
  titleChange,
  ttsrInjection,
  usage,
];

const byType = new Map(KINDS.map((kind) => [kind.type, kind]));

/** The kind of an entry; `unknown` for types that are not in the list. */
export function entryKind(type: string): EntryKind {
  return byType.get(type) ?? unknownEntry;
}

export const ENTRY_TYPES: readonly string[] = KINDS.map((kind) => kind.type);
