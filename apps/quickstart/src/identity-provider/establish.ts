import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { IDENTITY_PROVIDER_SETTINGS, type IdentityProviderSettings } from './settings.ts';

export interface EstablishedIdentityProvider {
  readonly settings: IdentityProviderSettings;
  readonly settingsFile: string;
  /** PEM certificate of the authority that vouches for the identity provider. */
  readonly authorityFile: string;
}

function signingKey(): IdentityProviderSettings['signingKey'] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { kty = 'RSA', ...key } = privateKey.export({ format: 'jwk' });
  return { kty, ...key, alg: 'RS256', use: 'sig', kid: randomBytes(8).toString('hex') };
}

type Given = Pick<IdentityProviderSettings, 'port' | 'clientId' | 'redirectUris' | 'people'>;

/**
 * Creates the provider's authority, certificate and keys at the first start; they stay, so that earlier signatures stay valid.
 * The authority's private key is discarded: it certifies only this provider.
 */
export function establishIdentityProvider(folder: string, given: Given): EstablishedIdentityProvider {
  const settingsFile = join(folder, 'settings.json');
  const authorityFile = join(folder, 'authority.pem');
  if (!existsSync(settingsFile) || !existsSync(authorityFile)) {
    const authority = createAuthority('Authority of the demo identity provider');
    const { certificate, key } = authority.certify(['127.0.0.1', 'localhost'], { days: 3650 });
    const made = { certificate, key, signingKey: signingKey(), cookieKeys: [randomBytes(32).toString('hex')] };
    writeFileSync(authorityFile, authority.certificate);
    writeFileSync(settingsFile, JSON.stringify({ ...made, ...given }), { mode: 0o600 });
  }
  // Given people replace those in the file: an earlier version may have written them in another form.
  const settings = IDENTITY_PROVIDER_SETTINGS.parse({ ...JSON.parse(readFileSync(settingsFile, 'utf8')), ...given });
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return { settings, settingsFile, authorityFile };
}
