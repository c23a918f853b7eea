import { type License, VENDOR_PUBLIC_KEY, verifyLicense } from '@gateway/access';
import type { Context } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';

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
