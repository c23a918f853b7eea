import { type License, TRUSTS_DEVELOPMENT_LICENSES } from '@gateway/access';
import { createLicenseSeats } from '@gateway/domain/organization/gateway';
import { createLicenseChecks, LICENSE_VARIABLES, licenseProof, readLicense, watchLicense } from './license.ts';
import type { Profile } from './profile.ts';

export interface OnPremiseConfiguration {
  readonly license: License;
}

/** The restricted build, the default: isolated, licensed by deployment. */
export const profile: Profile<OnPremiseConfiguration> = {
  name: 'on-premise',
  variables: LICENSE_VARIABLES,
  readsBilling: false,
  async readConfiguration(reading) {
    const license = await readLicense(reading);
    return license && { license };
  },
  firstStart: async () => null,
  open({ license }, { link, clock, report }) {
    const { claims } = license;
    if (TRUSTS_DEVELOPMENT_LICENSES) {
      report('This build accepts development licenses, which anybody can issue. It is not for production.');
    }
    const checks = createLicenseChecks({ claims, seats: createLicenseSeats(link), clock });
    return {
      relay: {
        license: ({ subject }, deadline) => checks.covers('inference', subject, deadline),
        seat: ({ subject }, deadline) => checks.claim(subject, deadline),
        plan: null,
        hold: null,
      },
      commands: {
        license: (subject, deadline) => checks.covers('agent-execution', subject, deadline),
        seat: (subject, deadline) => checks.claim(subject, deadline),
      },
      workstation: licenseProof(license, clock),
      cost: null,
      licenseEndsAt: new Date(claims.exp * 1000),
      close: watchLicense(claims, clock, report),
    };
  },
};
