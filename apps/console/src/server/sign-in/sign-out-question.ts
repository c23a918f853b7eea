import { notice } from '../http/notice.ts';

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
