import { createHash } from 'node:crypto';
import { textOf } from '../archive/text.ts';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi;

/** What a browser may do with a drawing or an XML document of the archive that is opened by itself: show it. */
const PASSIVE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/**
 * Content-security-policy of a file by its type, or null where a browser runs nothing in it.
 *
 * A page runs only this gateway's scripts and styles. The generator's inline scripts are listed by their digests, so that later
 * insertions do not run. Style attributes are allowed because highlighted code consists of them; they can only load images of
 * this gateway.
 */
export function contentSecurityPolicyOf(mediaType: string, content: Buffer | null): string | null {
  if (/^(?:image\/svg\+xml|application\/xml|application\/xhtml\+xml)/.test(mediaType)) return PASSIVE;
  if (!mediaType.startsWith('text/html')) return null;
  const html = content === null ? '' : textOf(content);
  const scripts = [...html.matchAll(SCRIPT)].filter(([, attributes]) => !/(?:^|\s)src\s*=/i.test(attributes ?? ''));
  const styles = [...html.matchAll(STYLE)];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(scripts.map(([, , text]) => digestOf(text ?? '')))].join(' '),
    ["style-src 'self'", ...new Set(styles.map(([, text]) => digestOf(text ?? '')))].join(' '),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function digestOf(text: string): string {
  // A browser reads the text with its line ends normalised (HTML, preprocessing the input stream).
  return `'sha256-${createHash('sha256').update(text.replace(/\r\n?/g, '\n')).digest('base64')}'`;
}
