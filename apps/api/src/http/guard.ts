import { ApiError } from './errors.ts';

/** Longest request target (path and query) that is looked at, in characters. */
export const URL_LIMIT = 8192;

export interface GuardedRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Name, value, name, value … as received: only here a repeated Host header can be seen. */
  rawHeaders: readonly string[];
}

/**
 * The Host values under which a server on a loopback port may be addressed. Anything else is another site's name
 * that was pointed at this machine (DNS rebinding).
 */
export function authoritiesOf(port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/**
 * Why a request is refused before anything else looks at it, or null. Pure: the same check runs for routes, for
 * static files, for unknown paths and for addresses that the router cannot read.
 *
 * @param isApi whether the request was routed to the API (by the router's view, since paths can be written in many ways).
 */
export function refusal(request: GuardedRequest, authorities: readonly string[], isApi: boolean): ApiError | null {
  const hosts = headerValues(request.rawHeaders, 'host');
  if (hosts.length !== 1 || !authorities.includes(hosts[0]!.toLowerCase())) {
    return new ApiError(
      'forbidden_host',
      `This server answers only under its own address, http://${authorities[0] ?? '127.0.0.1'}. Open that address instead.`,
    );
  }
  const url = request.url ?? '';
  if (url.length > URL_LIMIT) return new ApiError('uri_too_long', 'The address is too long.', { limit: URL_LIMIT });
  if (!url.startsWith('/')) return new ApiError('bad_request', 'The request target must be a path.');
  if (isForeign(request.rawHeaders, isApi)) {
    return new ApiError('forbidden_site', 'Other sites may not read from this server.');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new ApiError('method_not_allowed', 'This server only reads: GET and HEAD.');
  }
  return null;
}

/**
 * Browsers say where a request comes from. Another site (or another port of this machine) may link to a page,
 * nothing else. Programs that are no browsers do not send the header.
 */
function isForeign(rawHeaders: readonly string[], isApi: boolean): boolean {
  const sites = headerValues(rawHeaders, 'sec-fetch-site');
  if (sites.every((site) => site === 'same-origin' || site === 'none')) return false;
  return isApi || headerValues(rawHeaders, 'sec-fetch-dest').join() !== 'document';
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!);
  }
  return values;
}
