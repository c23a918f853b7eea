/** Prefixes of this product's variables, and those of the runtime and its libraries. */
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
 * Whether the programs themselves use a variable, in any case. An operator may not name it as a provider's key, because its value
 * would be sent there (console-12). The console refuses the name, and the gateway reads no key from it.
 */
export function isOwnVariable(name: string): boolean {
  return PREFIXES.test(name) || NAMES.has(name.toUpperCase());
}
