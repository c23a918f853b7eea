import { notice } from './notice.ts';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Whether a page of another site sent this request. A browser adds the shared pair or the session cookie by itself, so only
 * `Sec-Fetch-Site` and `Origin` distinguish such a request from the console's own. A program sends neither header and passes.
 * @param origins under which people reach the console, where a proxy does not pass `Host` on
 */
export function isCrossSite(request: Request, origins: readonly string[]): boolean {
  if (SAFE.has(request.method)) return false;
  const site = request.headers.get('sec-fetch-site');
  // No page can set it: the browser's value is proof, even if a proxy rewrote `Host`.
  if (site === 'same-origin') return false;
  if (site !== null && site !== 'none') return true;
  const origin = request.headers.get('origin');
  if (origin === null || origins.includes(origin)) return false;
  // The scheme is left out: behind a proxy that ends TLS, the console sees plain HTTP.
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get('host');
}

/** What a refusal says of the host that the console was asked as. */
export function hostOf(request: Request): { readonly host: string } {
  return { host: request.headers.get('host') ?? '' };
}

/**
 * Whether a page of another site, or of another host of this site, led the browser here. A program sends no such header, and `none`
 * is the address bar.
 */
export function isFromElsewhere(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** Asks instead of signing out: a link on another site must not end the session. The answer comes from this very page. */
export function signOutQuestion(request: Request, address: string): Response {
  return notice(request, 200, 'Do you want to sign out of this console? Another site led you to this page.', {
    links: { 'Sign out': address, 'Stay signed in': '/' },
  });
}
