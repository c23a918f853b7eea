/** A declared Base URL, parsed once; the path part stays byte for byte. */
export interface BaseUrl {
  readonly secure: boolean;
  /** `http://host:port`, in the form for the pool. */
  readonly origin: string;
  /** Value of the Host header. */
  readonly authority: string;
  readonly hostname: string;
  readonly port: number;
  /** Path as declared: empty, or beginning with a slash. */
  readonly path: string;
}

/** The authority ends at the first slash; a Base URL has no user info, query or fragment (console-11). */
const FORM = /^(https?):\/\/([^/?#@\\\s]+)((?:\/[\x21-\x22\x24-\x3e\x40-\x7e]*)?)$/i;

/** @returns null where the text is no Base URL the relay may follow. */
export function parseBaseUrl(text: string): BaseUrl | null {
  const [, scheme, authority, path] = FORM.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || path === undefined) return null;
  const url = URL.parse(`${scheme}://${authority}/`);
  if (url === null || url.username !== '' || url.password !== '' || url.pathname !== '/') return null;
  const secure = url.protocol === 'https:';
  return {
    secure,
    origin: url.origin,
    authority: url.host,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path,
  };
}

/**
 * The rest of the caller's path appended to the Base URL as declared, byte for byte: nothing normalises `//`, `%2F`,
 * `..` or case (console-11).
 * @param rest empty, or beginning with `/` or `?`.
 */
export function joinPath(base: BaseUrl, rest: string): string {
  const path = base.path + rest;
  return path.codePointAt(0) === 0x2f ? path : `/${path}`;
}
