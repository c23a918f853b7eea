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
