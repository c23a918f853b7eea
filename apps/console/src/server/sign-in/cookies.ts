/** A cookie of this console: HttpOnly, SameSite=Lax, and over TLS alone where the console is served over TLS. */
export interface CookieJar {
  read(request: Request): string | undefined;
  /** The header line that sets it. */
  set(value: string, seconds: number): string;
  /** The header line that takes it away. */
  clear(): string;
}

/**
 * @param secure whether the console is served over TLS; the name then binds the cookie to this very host (`__Host-`), so that no
 *   neighbouring host can plant one
 */
export function cookieJar(purpose: string, secure: boolean): CookieJar {
  const name = nameOf(purpose, secure);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(request) {
      const found = pairsOf(request).filter((pair) => pair.startsWith(`${name}=`));
      // Two of one name: somebody planted one, and nothing shows which.
      return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
    },
    set: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The request's cookies of this console whose purpose begins in this way, the oldest first (RFC 6265, section 5.4). */
export function cookiesOf(
  request: Request,
  begin: string,
  secure: boolean,
): readonly { readonly purpose: string; readonly bytes: number }[] {
  const name = nameOf(begin, secure);
  return pairsOf(request).flatMap((pair) => {
    const [given = ''] = pair.split('=', 1);
    return given.startsWith(name) ? { purpose: begin + given.slice(name.length), bytes: pair.length } : [];
  });
}

function pairsOf(request: Request): readonly string[] {
  return (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
}

function nameOf(purpose: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}gateway-console-${purpose}`;
}
