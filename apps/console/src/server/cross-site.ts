const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a page of another site sent this request. A browser adds the shared pair or the session cookie by itself, so nothing
 * but `Sec-Fetch-Site` and `Origin` tells such a request from the console's own. A program sends neither header and passes.
 */
export function isCrossSite(request: Request): boolean {
  if (SAFE.has(request.method)) return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.headers.get('origin');
  if (origin === null) return false;
  // The scheme is left out: behind a proxy that ends TLS, the console sees plain HTTP.
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get('host');
}
