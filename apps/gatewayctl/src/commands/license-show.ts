import { expiryOf, graceEndOf, type LicenseTerm, termOf } from '@gateway/access';
import { type Context, print } from '../context/context.ts';
import { verifyLicenseText } from '../operator/license-source.ts';

const TERMS: Readonly<Record<LicenseTerm, string>> = {
  'in-force': 'in force',
  'in-grace': 'expired, in its grace',
  elapsed: 'expired, its grace elapsed',
};

/** `license show [FILE]`: the content of a license, and its current state. */
export async function runLicenseShow(
  context: Context,
  file: string | undefined,
  options: { readonly publicKey?: string },
) {
  const { claims } = await verifyLicenseText(context, file, options.publicKey);
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
