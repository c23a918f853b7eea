import {
  CAPABILITIES,
  expiryOf,
  graceEndOf,
  issueLicense,
  type LicenseClaims,
  type LicenseTerm,
  termOf,
} from '@gateway/access';
import { checkName } from '../context/check.ts';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { readText, verifyLicenseText } from '../context/find.ts';

export interface LicenseIssueOptions {
  readonly licensee: string;
  readonly deployment: string;
  readonly signingKey: string;
  readonly seats: string;
  readonly capability?: readonly string[];
  readonly days: string;
  readonly graceDays: string;
}

const DAY_S = 86_400;

/** `license issue`: signs a license with the vendor's private key (roles-20). Capabilities: all, unless some are named. */
export async function runLicenseIssue(context: Context, options: LicenseIssueOptions): Promise<void> {
  const iat = Math.floor(Date.now() / 1000);
  const claims: LicenseClaims = {
    licensee: checkName(options.licensee, 'licensee'),
    deployment: checkName(options.deployment, 'deployment'),
    seats: options.seats === 'unlimited' ? null : wholeNumber(options.seats, '--seats'),
    capabilities: checkCapabilities(options.capability ?? CAPABILITIES),
    iat,
    exp: iat + wholeNumber(options.days, '--days') * DAY_S,
    graceDays: wholeNumber(options.graceDays, '--grace-days'),
  };
  const key = readText(options.signingKey);
  const license = await issueLicense(claims, key).catch(() => {
    throw new CommandFailed(`${options.signingKey} contains no Ed25519 private key (PEM, PKCS 8).`);
  });
  await print(context, { license, claims }, [license]);
}

function checkCapabilities(names: readonly string[]): string[] {
  const known: readonly string[] = CAPABILITIES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return [...new Set(names)];
  throw new WrongUsage(`There is no capability "${unknown}". The capabilities are: ${CAPABILITIES.join(', ')}.`);
}

function wholeNumber(text: string, option: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new WrongUsage(`${option} must be a whole number of at most six digits, not "${text}".`);
}

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

/** `license verify [FILE]`: exit code 0 where a gateway of this build would start with it, 1 where not. */
export async function runLicenseVerify(
  context: Context,
  file: string | undefined,
  options: { readonly publicKey?: string },
): Promise<void> {
  const { claims } = await verifyLicenseText(context, file, options.publicKey);
  if (termOf(claims, Date.now()) === 'elapsed') {
    throw new CommandFailed(`This license expired, and its grace elapsed on ${graceEndOf(claims).toISOString()}.`);
  }
  await print(context, { valid: true, licensee: claims.licensee, deployment: claims.deployment }, [
    `The license of ${claims.licensee} for ${claims.deployment} is valid until ${graceEndOf(claims).toISOString()} (including grace).`,
  ]);
}
