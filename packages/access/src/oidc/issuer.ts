/**
 * Reads an OIDC_ISSUER: an absolute https URL without query or fragment (console-4). No user info either:
 * it would be shown to every workstation that discovers the identity provider.
 * @returns the fault as the end of a sentence, or null where the address is one
 */
export function issuerFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'is not an absolute URL';
  if (url.protocol !== 'https:') return 'does not start with https://';
  if (text.includes('?') || text.includes('#')) return 'carries a query or a fragment';
  if (url.username !== '' || url.password !== '') return 'carries a user name or a password';
  return null;
}

/** Where an identity provider describes itself (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}
