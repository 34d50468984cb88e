import type { TranscriptItem } from '../../transcript/items.ts';
import type { ItemPlace } from '../define-entry.ts';
import type { RawRecord } from '../entry.ts';
import type { EntryFacts } from '../facts.ts';

/** What the rest of the system may ask of a message role. One file each, one line in `roles/registry.ts`. */
export interface MessageRole {
  readonly role: string;
  describe(message: RawRecord, facts: EntryFacts): void;
  items(message: RawRecord, place: ItemPlace): TranscriptItem[];
}

export function defineRole(role: MessageRole): MessageRole {
  return role;
}
