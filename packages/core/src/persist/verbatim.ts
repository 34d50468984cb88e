/** What must be stored to the letter: a provider refuses it, or shows it wrongly, when one character is another. */

const filled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Signed or encrypted blocks of a message, and a provider's own record of its tools. Nothing in them is changed. */
export function isVerbatim(block: Record<string, unknown>): boolean {
  const type = block['type'];
  switch (type) {
    case 'text':
      return filled(block['textSignature']);
    case 'thinking':
      return filled(block['thinkingSignature']);
    case 'toolCall':
      return filled(block['thoughtSignature']);
    case 'redactedThinking':
      return filled(block['data']);
    case 'reasoning':
      return filled(block['encrypted_content']);
    case 'server_tool_use':
      return filled(block['id']);
    default:
      return typeof type === 'string' && type.endsWith('_tool_result') && filled(block['tool_use_id']);
  }
}

const SIGNATURES = new Set(['thinkingSignature', 'thoughtSignature', 'textSignature', 'encrypted_content']);

/**
 * Is a long text worth nothing without its end: a signature, an image's address, or an attachment in base64?
 *
 * @param holder the object that has it under `key`; for items of a list the list's own holder is not known
 */
export function isIndivisible(text: string, key: string | number, holder: Record<string, unknown> | null): boolean {
  if (text.startsWith('data:image/')) return true;
  if (holder === null) return false;
  return SIGNATURES.has(String(key)) || (key === 'data' && isAttachment(holder));
}

/** Base64 stands as `data` beside the type of its content, as the several providers call it. */
function isAttachment({ type, mimeType, media_type: mediaType }: Record<string, unknown>): boolean {
  const kind = mimeType ?? mediaType;
  return type === 'image' || (typeof kind === 'string' && !kind.startsWith('text/'));
}
