/** Codes under which a TLS connection fails whose certificate is of an authority that is not among those that count. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** Whether naming an authority fixes it: which variable names it differs by what was to be reached. */
export function isUntrustedAuthority(code: string): boolean {
  return UNTRUSTED.has(code);
}
