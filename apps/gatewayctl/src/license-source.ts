import type { Environment } from './environment.ts';
import { CommandFailed, WrongUsage } from './fault.ts';
import { readText } from './text-file.ts';

/** The license a command is about: the file it names, else what the gateway itself would read. */
export function readLicenseText({ license, licenseFile }: Environment, file: string | undefined): string {
  if (file !== undefined) return readText(file).trim();
  if (license !== undefined && licenseFile !== undefined) {
    throw new CommandFailed('GATEWAY_LICENSE and GATEWAY_LICENSE_FILE are both set. Keep one.');
  }
  if (license !== undefined) return license.trim();
  if (licenseFile !== undefined) return readText(licenseFile).trim();
  throw new WrongUsage('Name the file of the license, or set GATEWAY_LICENSE or GATEWAY_LICENSE_FILE.');
}
