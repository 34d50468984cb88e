const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address a link may lead to, normalised, or null. Only absolute http, https and mailto addresses are links;
 * a relative one points into somebody's project folder, where the page cannot follow.
 */
export function safeHref(href: string): string | null {
  const url = URL.parse(href.trim());
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null;
}
