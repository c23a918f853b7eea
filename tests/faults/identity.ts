import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signingKey, startIdentityProvider as startProvider } from '@gateway/access/testing';

/** An OpenID provider in a separate process, where a caller signed in. */
export interface IdentityProvider {
  /** The gateways' configuration for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The caller's identity token; a new one after the keys were exchanged. */
  token(): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Starts it again with other keys, and signs the caller in again. */
  exchangeKeys(): Promise<void>;
}

/** Longer than any run: a token that expires is no fault. */
const LIFETIME_S = 86_400;

/** @param subject the person who signs in */
export async function startIdentityProvider(subject: string, folder: string): Promise<IdentityProvider> {
  const provider = await startProvider();
  provider.lifetime = LIFETIME_S;
  await provider.stop();
  await provider.start();
  const authority = join(folder, 'identity-authority.pem');
  writeFileSync(authority, provider.authority.certificate);
  let token = await provider.signIn(subject);
  return {
    environment: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'gateway', OIDC_TLS_CA_FILE: authority },
    token: () => token,
    stop: () => provider.stop(),
    start: () => provider.start(),
    async exchangeKeys() {
      await provider.stop();
      provider.keys = [await signingKey()];
      await provider.start();
      token = await provider.signIn(subject);
    },
  };
}
