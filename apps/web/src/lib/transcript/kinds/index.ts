import type { TranscriptItem, TranscriptKind } from '@stemma/core/pure';
import type { Component } from 'svelte';

import ToolCard from '../tools/ToolCard.svelte';
import Assistant from './Assistant.svelte';
import Bash from './Bash.svelte';
import BranchSummary from './BranchSummary.svelte';
import Compaction from './Compaction.svelte';
import Custom from './Custom.svelte';
import Notice from './Notice.svelte';
import Settings from './Settings.svelte';
import System from './System.svelte';
import ToolResult from './ToolResult.svelte';
import Unknown from './Unknown.svelte';
import User from './User.svelte';

type ItemOf<Kind extends TranscriptKind> = Extract<TranscriptItem, { kind: Kind }>;
type Kinds = { readonly [Kind in TranscriptKind]: Component<{ item: ItemOf<Kind> }> };

/** How each kind of item is drawn. The one place to add a kind. */
const KINDS = {
  user: User,
  assistant: Assistant,
  toolCall: ToolCard,
  toolResult: ToolResult,
  bash: Bash,
  custom: Custom,
  system: System,
  compaction: Compaction,
  branchSummary: BranchSummary,
  settings: Settings,
  notice: Notice,
  unknown: Unknown,
} satisfies Kinds;

/** The component of an item; a kind of a newer server is drawn as unknown. */
export function componentOf(item: TranscriptItem): Component<{ item: TranscriptItem }> {
  const kinds: Readonly<Record<string, unknown>> = KINDS;
  // Each component takes the items of its own kind: the table says so, one by one.
  return (Object.hasOwn(kinds, item.kind) ? kinds[item.kind] : Unknown) as Component<{ item: TranscriptItem }>;
}
