/** What a key wants in the transcript. */
export type Move = 'next' | 'previous' | 'nextPrompt' | 'previousPrompt' | 'first' | 'last' | 'toggle';

const PLAIN: Readonly<Record<string, Move>> = {
  j: 'next',
  k: 'previous',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ']': 'nextPrompt',
  '[': 'previousPrompt',
  Home: 'first',
  End: 'last',
  Enter: 'toggle',
};
const ALT: Readonly<Record<string, Move>> = { ArrowDown: 'nextPrompt', ArrowUp: 'previousPrompt' };

/** The move of a key, or null. Keys held with Ctrl or Meta belong to the browser; Ctrl and Alt together are AltGr. */
export function moveOf(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): Move | null {
  const isBracket = event.key === '[' || event.key === ']';
  if (event.metaKey || event.shiftKey || (event.ctrlKey && !(isBracket && event.altKey))) return null;
  return (event.altKey && !isBracket ? ALT : PLAIN)[event.key] ?? null;
}
