import DOMPurify from 'dompurify';

const TAGS = 'p br hr strong em del code pre ul ol li blockquote table thead tbody tr th td a span'.split(' ');

// An instance of our own, configured once: reading the configuration costs more than cleaning a short text.
const purify = DOMPurify(window);
purify.setConfig({
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ['href', 'title', 'class', 'rel', 'target', 'start'],
  ADD_URI_SAFE_ATTR: ['rel', 'target', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
});

/**
 * The one gate before `{@html}`: keeps the few tags that our own renderers write and drops everything else,
 * `style` attributes and links of other schemes than http, https and mailto included.
 */
export function sanitize(html: string): string {
  return purify.sanitize(html);
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML that shows exactly this text, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!);
}
