import { notice } from './notice.ts';

/**
 * What every answer carries. No inline script, nothing from another host, no frame: markup in a name stays text even where a page
 * forgot to escape it. Styles may be inline because the page's component library sets some; they cannot run anything.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Adds the headers that protect a browser that shows the answer. */
export function withSecurityHeaders(answer: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) answer.headers.set(name, value);
  return answer;
}

/** Headers that identify the caller and its address: given twice, one reader would use the first and another the last. */
const SINGLE = new Set(['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site', 'x-api-key']);

/**
 * The first header that may occur once and occurs twice.
 * @param raw names and values in turn, as they came
 */
export function findRepeatedHeader(raw: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

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
