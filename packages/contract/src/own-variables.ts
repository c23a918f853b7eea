/** How the names of this product's variables begin, and those of the runtime and the libraries it stands on. */
const PREFIXES = /^(?:ADMIN|CONSOLE|DATABASE|GATEWAY|LD|NODE|NPM|OIDC|OPENSSL|SSL|TLS|UPSTREAM)_|^PG[A-Z]+$/i;

/** Others that the programs, their database client or the proxies' clients read. */
const NAMES: ReadonlySet<string> = new Set([
  'ALL_PROXY',
  'FTP_PROXY',
  'HOME',
  'HOST',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'PATH',
  'PORT',
  'PWD',
  'TMPDIR',
]);

/**
 * Whether the programs themselves use a variable, in whatever case: an operator may not name it as the key of a provider, for its
 * value would be sent there (console-12). The one list of the console, which refuses the name, and of the gateway, which reads
 * no key from it.
 */
export function isOwnVariable(name: string): boolean {
  return PREFIXES.test(name) || NAMES.has(name.toUpperCase());
}
