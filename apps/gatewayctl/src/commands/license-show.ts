import {
  expiryOf,
  graceEndOf,
  type License,
  type LicenseTerm,
  termOf,
  VENDOR_PUBLIC_KEY,
  verifyLicense,
} from '@gateway/access';
import { type Context, print } from '../context.ts';
import { CommandFailed } from '../fault.ts';
import { readLicenseText } from '../license-source.ts';
import { readText } from '../text-file.ts';

const TERMS: Readonly<Record<LicenseTerm, string>> = {
  'in-force': 'in force',
  'in-grace': 'expired, in its grace',
  elapsed: 'expired, its grace elapsed',
};

/** A license with its signature verified; exit code 1 where it is not the vendor's. */
export async function verified(
  context: Context,
  file: string | undefined,
  publicKey: string | undefined,
): Promise<License> {
  const text = readLicenseText(context.environment, file);
  const key = publicKey === undefined ? VENDOR_PUBLIC_KEY : readText(publicKey);
  const verdict = await verifyLicense(text, key).catch(() => {
    throw new CommandFailed(`${publicKey ?? 'The key of this build'} holds no Ed25519 public key (PEM).`);
  });
  if (!verdict.ok) throw new CommandFailed(`This license cannot be accepted: ${verdict.fault.sentence}.`);
  return verdict.license;
}

/** `license show [FILE]`: what a license says, and where it stands today. */
export async function runLicenseShow(
  context: Context,
  file: string | undefined,
  options: { readonly publicKey?: string },
) {
  const { claims } = await verified(context, file, options.publicKey);
  const term = termOf(claims, Date.now());
  const lines = [
    `Licensee      ${claims.licensee}`,
    `Deployment    ${claims.deployment}`,
    `Seats         ${claims.seats ?? 'unlimited'}`,
    `Capabilities  ${claims.capabilities.join(', ') || 'none'}`,
    `Issued        ${new Date(claims.iat * 1000).toISOString()}`,
    `Expires       ${expiryOf(claims).toISOString()}`,
    `Grace until   ${graceEndOf(claims).toISOString()}`,
    `Standing      ${TERMS[term]}`,
  ];
  await print(context, { ...claims, standing: term }, lines);
}
