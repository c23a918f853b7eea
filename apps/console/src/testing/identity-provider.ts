import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { type TestProgram, testProgram } from '@gateway/access/testing';
import { onFreePort } from '@gateway/database/embedded';

/** The settings of `identity-provider-program.ts`. */
export interface IdentityProviderSettings {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  readonly redirectUris: string[];
}

/** A real identity provider that a test can stop and restart. It accepts a sign-in under any name. */
export interface TestIdentityProvider extends TestProgram {
  readonly issuer: string;
  readonly authority: Authority;
}

/** A directory on a free port, whose clients `console` and `confidential` may come back to one address. */
export function startIdentityProvider(redirectUri: string): Promise<TestIdentityProvider> {
  return onFreePort((port) => startOn(port, redirectUri));
}

async function startOn(port: number, redirectUri: string): Promise<TestIdentityProvider> {
  const authority = createAuthority('authority of the directory');
  const { certificate, key } = authority.certify(['127.0.0.1']);
  const settings: IdentityProviderSettings = { port, certificate, key, redirectUris: [redirectUri] };
  const program = testProgram(new URL('./identity-provider-program.ts', import.meta.url), () => settings);
  await program.start();
  return { ...program, issuer: `https://127.0.0.1:${port}`, authority };
}
