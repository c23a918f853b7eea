import { CAPABILITIES, issueLicense, type LicenseClaims } from '@gateway/access';
import { type Context, print } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';
import { checkName } from '../operator/check.ts';

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
