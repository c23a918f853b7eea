/** The subject of acts, in the order of the contract: the token's `sub`, GATEWAY_SUBJECT, the system's user name. */
export function subjectOf(from: {
  /** What proves the user's identity to the gateway: a token, or a key, which names nobody. */
  readonly credential: string | null;
  readonly variables: ReadonlyMap<string, string>;
  readonly userName: string | null;
}): string {
  const { credential, variables, userName } = from;
  return subjectIn(credential) ?? variables.get('GATEWAY_SUBJECT') ?? userName ?? 'unknown';
}

/** The `sub` of a token, which is not verified here: the gateway does that. Null for anything else, such as a key. */
function subjectIn(credential: string | null): string | null {
  const claims = claimsIn(credential ?? '');
  return typeof claims['sub'] === 'string' && claims['sub'] !== '' ? claims['sub'] : null;
}

/** The claims of a JSON Web Token, not verified. Empty for anything else. */
export function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const parts = token.split('.');
  if (parts.length !== 3) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
    return claims !== null && typeof claims === 'object' ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
