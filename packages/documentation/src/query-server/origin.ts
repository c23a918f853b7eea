import { isIP } from 'node:net';

/**
 * Whether a page of this origin may call. A request without `Origin` comes from no page. A page of this gateway itself may call,
 * but the browser's `Host` is the name in its address bar, and the owner of any name can point it here (DNS rebinding). So over
 * plain HTTP only names without an owner are trusted: addresses and localhost. Over HTTPS the certificate has proven the name.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  const parsed = URL.parse(origin);
  if (parsed === null || parsed.origin !== origin || host === undefined) return false;
  // The port that a scheme implies is left out of both, or of one.
  if (parsed.host !== URL.parse(`${parsed.protocol}//${host}`)?.host) return false;
  return parsed.protocol === 'https:' || isUnownable(parsed.hostname);
}

function isUnownable(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}
