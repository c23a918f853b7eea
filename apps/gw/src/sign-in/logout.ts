import { type Credential, credentialsFile } from './credentials-file.ts';

export type LoggedOut =
  | { readonly outcome: 'nobody' }
  /** The owner of an account key cannot revoke it. */
  | { readonly outcome: 'key' }
  | { readonly outcome: 'revoked' }
  /** The tokens are deleted here; the sentence says why they were not revoked. */
  | { readonly outcome: 'deleted'; readonly reason: string };

/** Deletes the credential of a gateway, then revokes its tokens if the provider supports that (RFC 7009). */
export async function logout(gateway: string, home: string, fetch: typeof globalThis.fetch): Promise<LoggedOut> {
  let kept: Credential | null = null;
  await credentialsFile(home).update(gateway, async (credential) => {
    kept = credential;
    return null;
  });
  return revoke(kept, fetch);
}

async function revoke(kept: Credential | null, fetch: typeof globalThis.fetch): Promise<LoggedOut> {
  if (kept === null) return { outcome: 'nobody' };
  if (kept.kind === 'key') return { outcome: 'key' };
  const { connectProvider, providerFailed } = await import('./identity-provider.ts');
  const { tokenRevocation } = await import('openid-client');
  try {
    const provider = await connectProvider(kept, fetch);
    if (provider.serverMetadata().revocation_endpoint === undefined) {
      return { outcome: 'deleted', reason: `${kept.issuer} revokes no tokens; they end at ${kept.expiresAt}.` };
    }
    // Revoking the refresh token revokes what was issued with it; providers differ about the other way round.
    if (kept.refreshToken !== null)
      await tokenRevocation(provider, kept.refreshToken, { token_type_hint: 'refresh_token' });
    await tokenRevocation(provider, kept.accessToken, { token_type_hint: 'access_token' });
    return { outcome: 'revoked' };
  } catch (error) {
    return { outcome: 'deleted', reason: providerFailed(kept.issuer, error).message };
  }
}
