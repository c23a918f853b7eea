import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import {
  type CompiledPolicySet,
  compilePolicySet,
  type License,
  PolicySetUnusable,
  VENDOR_PUBLIC_KEY,
  verifyLicense,
} from '@gateway/access';
import { codeOf } from '@gateway/configuration';
import type { Queryable } from '@gateway/database';
import { type LockedUser, lockUser } from '@gateway/domain/account/console';
import { readPlanId } from '@gateway/domain/account/owner';
import { type Organization, readOrganizations } from '@gateway/domain/organization/console';
import { listProviders } from '@gateway/domain/provider/console';
import { CommandFailed, type Context, WrongUsage } from './context.ts';
import type { Environment } from './environment.ts';

/** An account, locked until the transaction ends. @throws CommandFailed where there is none of this name */
export async function findAccount(sql: Queryable, username: string): Promise<LockedUser> {
  const account = await lockUser(sql, { username });
  if (account === undefined) throw new CommandFailed(`There is no account ${username}.`);
  return account;
}

/** The id of a plan. @throws CommandFailed where there is none with this slug */
export async function findPlan(sql: Queryable, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const id = await readPlanId(sql, slug);
  if (id === undefined) throw new CommandFailed(`There is no plan ${slug}.`);
  return id;
}

/** @throws CommandFailed where there is no organization with this slug */
export async function findOrganization(sql: Queryable, slug: string): Promise<Organization> {
  const found = (await readOrganizations(sql)).find((one) => one.slug === slug);
  if (found === undefined) throw new CommandFailed(`There is no organization ${slug}.`);
  return found;
}

/** The id of a provider. @throws CommandFailed where there is none with this slug */
export async function findProvider(sql: Queryable, slug: string): Promise<string> {
  const found = (await listProviders(sql, { limit: null, after: null })).find((one) => one.slug === slug);
  if (found === undefined) throw new CommandFailed(`There is no provider ${slug}.`);
  return found.id;
}

/** The license a command is about: the file it names, else what the gateway itself would read. */
function readLicenseText({ license, licenseFile }: Environment, file: string | undefined): string {
  if (file !== undefined) return readText(file).trim();
  if (license !== undefined && licenseFile !== undefined) {
    throw new CommandFailed('GATEWAY_LICENSE and GATEWAY_LICENSE_FILE are both set. Keep one.');
  }
  if (license !== undefined) return license.trim();
  if (licenseFile !== undefined) return readText(licenseFile).trim();
  throw new WrongUsage('Name the file of the license, or set GATEWAY_LICENSE or GATEWAY_LICENSE_FILE.');
}

/** A license with its signature verified; exit code 1 where it is not the vendor's. */
export async function verifyLicenseText(
  context: Context,
  file: string | undefined,
  publicKey: string | undefined,
): Promise<License> {
  const text = readLicenseText(context.environment, file);
  const key = publicKey === undefined ? VENDOR_PUBLIC_KEY : readText(publicKey);
  const verified = await verifyLicense(text, key).catch(() => {
    throw new CommandFailed(`${publicKey ?? 'The key of this build'} contains no Ed25519 public key (PEM).`);
  });
  if (!verified.ok) throw new CommandFailed(`This license cannot be accepted: ${verified.fault.sentence}.`);
  return verified.license;
}

/** A compiled policy set; null if the text is empty. */
export function compilePolicy(cedar: string): CompiledPolicySet | null {
  if (cedar.trim() === '') return null;
  try {
    return compilePolicySet(cedar);
  } catch (error) {
    if (!(error instanceof PolicySetUnusable)) throw error;
    throw new CommandFailed(`The policy cannot be evaluated: ${error.message}.`);
  }
}

/** The text of a file, without the mark that some editors put before it; `-` is standard input. */
export function readText(file: string): string {
  const name = file === '-' ? 'Standard input' : file;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new CommandFailed(`${name} cannot be read (${codeOf(error)}).`);
  }
  // Invalid UTF-8 would be decoded to other names than were written.
  if (!isUtf8(bytes)) throw new CommandFailed(`${name} is not UTF-8: save it as plain text in UTF-8.`);
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
