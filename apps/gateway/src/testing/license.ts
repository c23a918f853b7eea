import { issueLicense, type LicenseClaims } from '@gateway/access';
import { developmentSigningKey } from '@gateway/access/development-license';

/** A license that builds without a vendor's key accept: everything for a year, unless a claim is changed. */
export function testLicense(change: Partial<LicenseClaims> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims: LicenseClaims = {
    licensee: 'Acme',
    deployment: 'test',
    seats: null,
    capabilities: ['inference', 'agent-execution', 'workstation-control'],
    iat: now,
    exp: now + 365 * 86_400,
    graceDays: 14,
    ...change,
  };
  return issueLicense(claims, developmentSigningKey());
}
