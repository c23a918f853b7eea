/** Prefixes of this product's variables, and those of the runtime and its libraries. */
const PREFIXES = /^(?:ADMIN|CONSOLE|DATABASE|GATEWAY|LD|NODE|NPM|OIDC|OPENSSL|SSL|TLS|UPSTREAM)_|^PG[A-Z]+$/i;

/**
 * Credentials of clouds and their tools, which a machine may have beside the keys of engines. Not among them: names that engines use
 * themselves (AZURE_OPENAI_API_KEY, AWS_BEARER_TOKEN_BEDROCK, GOOGLE_API_KEY).
 */
const CLOUD =
  /^(?:ALIBABA_CLOUD|ARM|CLOUDSDK|KUBERNETES|OCI|TF|VAULT)_|^AWS_(?!BEARER_TOKEN_BEDROCK$)|^AZURE_(?:CLIENT|FEDERATED|PASSWORD|STORAGE|SUBSCRIPTION|TENANT|USERNAME)|^(?:DIGITALOCEAN_ACCESS_TOKEN|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CREDENTIALS|HCLOUD_TOKEN|KUBECONFIG)$/i;

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
 * Whether the programs themselves use a variable, or it holds credentials of a cloud, in any case. An operator may not name it as a provider's key, because its value
 * would be sent there (console-12). The console refuses the name, and the gateway reads no key from it.
 */
export function isOwnVariable(name: string): boolean {
  return PREFIXES.test(name) || CLOUD.test(name) || NAMES.has(name.toUpperCase());
}

/** Codes under which a TLS connection fails whose certificate is of an authority that is not among those that count. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** Whether a configured authority fixes it: the variable for it depends on the peer. */
export function isUntrustedAuthority(code: string): boolean {
  return UNTRUSTED.has(code);
}
