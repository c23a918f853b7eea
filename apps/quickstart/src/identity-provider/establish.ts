import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

/** The settings of an earlier start cannot be read; the message says what to do. */
export class SettingsDamaged extends Error {}

/** Given people replace those in the file: an earlier version may have written them in another form. */
function readSettings(file: string, given: Given): IdentityProviderSettings {
  try {
    return IDENTITY_PROVIDER_SETTINGS.parse({ ...JSON.parse(readFileSync(file, 'utf8')), ...given });
  } catch {
    throw new SettingsDamaged(`${file} is damaged. Remove it: the demo identity provider then gets other keys.`);
  }
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
  const settings = readSettings(settingsFile, given);
  // Written whole: a start that is cut short leaves the settings of the one before.
  writeFileSync(`${settingsFile}.new`, JSON.stringify(settings), { mode: 0o600 });
  renameSync(`${settingsFile}.new`, settingsFile);
  return { settings, settingsFile, authorityFile };
}
