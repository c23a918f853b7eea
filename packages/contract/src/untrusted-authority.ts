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
