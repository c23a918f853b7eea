import type { Reading, Variable } from './reading.ts';

/** How the address of an enterprise proxy is written. */
export const PROXY_FORM =
  'the address of an HTTP proxy, http:// or https://, with user and password where it asks for them';

/** The proxy in a variable, also in its lower-case spelling; null for none, or after a fault. */
export function readProxy(reading: Reading, variable: Variable): URL | null {
  const text = reading.textInEitherCase(variable);
  if (text === null) return null;
  // The value may contain a password, so the message does not repeat it.
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.port === '0' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    reading.fault(variable, 'is not the address of a proxy. Write it as http://host:port, without a path.');
    return null;
  }
  if (!isDecodable(url.username) || !isDecodable(url.password)) {
    reading.fault(variable, 'has a user or a password with a broken percent-encoding. Write % as %25.');
    return null;
  }
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
