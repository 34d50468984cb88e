/** The address is the state: a small history router over the pages that exist. */

export type Route =
  | { readonly name: 'library' }
  | { readonly name: 'session'; readonly params: { readonly key: string } }
  /** Addresses without a page, those reserved for later ones among them. */
  | { readonly name: 'nothing'; readonly path: string };

/** What the address may carry as a query: a value, or null to take it out. */
export type QueryPatch = Readonly<Record<string, string | null | undefined>>;

const SESSION = /^\/s\/([^/]+)\/?$/;

/** The page of a path. Text that is no valid percent-encoding is no page. */
export function matchRoute(path: string): Route {
  if (path === '/') return { name: 'library' };
  const encoded = SESSION.exec(path)?.[1];
  const key = encoded === undefined ? null : decode(encoded);
  return key === null ? { name: 'nothing', path } : { name: 'session', params: { key } };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The address of a session's page; members that are null or missing are left out. */
export function sessionAddress(key: string, query: QueryPatch = {}): string {
  return `/s/${encodeURIComponent(key)}${patchQuery(new URLSearchParams(), query)}`;
}

/** `current` with the patch laid over it, as text with its question mark, or empty. Other members keep their order. */
export function patchQuery(current: URLSearchParams, patch: QueryPatch): string {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(patch)) {
    if (value == null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

class Router {
  #url = $state.raw(new URL(location.href));

  readonly route: Route = $derived(matchRoute(this.#url.pathname));
  /** The query now. Read it; change it with `setQuery`. */
  readonly query: URLSearchParams = $derived(this.#url.searchParams);

  constructor() {
    globalThis.addEventListener('popstate', () => (this.#url = new URL(location.href)));
  }

  /** Goes to an address of this page. `replace` leaves no step in the history. */
  navigate(address: string, options: { replace?: boolean } = {}): void {
    const url = new URL(address, location.href);
    if (url.href === this.#url.href) return;
    if (options.replace === true) history.replaceState(history.state, '', url);
    else history.pushState(null, '', url);
    this.#url = url;
  }

  /** Changes members of the query and keeps the page. */
  setQuery(patch: QueryPatch, options: { replace?: boolean } = {}): void {
    this.navigate(`${this.#url.pathname}${patchQuery(this.#url.searchParams, patch)}`, options);
  }
}

export const router = new Router();

/** Goes to an address of this page. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
  router.navigate(address, options);
}

/** Whether a click should stay with the browser: another button, a modifier, another target or a download. */
function isForBrowser(event: MouseEvent, anchor: HTMLAnchorElement): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.defaultPrevented || event.button !== 0 || modified || anchor.target !== '' || anchor.origin !== location.origin;
}

/** Action for `<a href>`: a plain click changes the page without loading it again. With `aria-disabled` it does nothing. */
export function link(anchor: HTMLAnchorElement): { destroy(): void } {
  const click = (event: MouseEvent): void => {
    if (isForBrowser(event, anchor)) return;
    event.preventDefault();
    if (anchor.ariaDisabled !== 'true') router.navigate(anchor.href);
  };
  anchor.addEventListener('click', click);
  return { destroy: () => anchor.removeEventListener('click', click) };
}
