import { refusal } from '@gateway/contract';
import { readModelPrices } from '@gateway/database/gateway';
import { ADMINISTRATOR_VARIABLES, readAdministratorKey } from '../config/administrator.ts';
import { plan } from '../relay/steps/plan.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { createCostMeter } from '../telemetry/cost.ts';
import { ensureAdministrator } from './administrator.ts';
import type { Profile } from './profile.ts';

const MEBIBYTE = 2 ** 20;

export interface HostedConfiguration {
  readonly administratorKey: string;
}

/** The hosted build: plans, monthly caps, and no plain answer before its usage record is written. */
export const profile: Profile<HostedConfiguration> = {
  name: 'serverless',
  variables: ADMINISTRATOR_VARIABLES,
  readsBilling: true,
  async readConfiguration(reading) {
    const administratorKey = readAdministratorKey(reading);
    return administratorKey === null ? null : { administratorKey };
  },
  firstStart: ({ administratorKey }, database) => ensureAdministrator(database, administratorKey),
  open: (_, { link }) => ({
    relay: { license: null, plan, seat: null, hold: { perAnswer: 16 * MEBIBYTE, total: 256 * MEBIBYTE, used: 0 } },
    commands: { license: null, seat: null },
    // Workstations authenticate with the deployment's license, which this profile does not have.
    workstation: () => refusal('license-not-presented'),
    cost: createCostMeter(() => readModelPrices(link, performance.now() + DATABASE_BUDGET)),
    licenseEndsAt: null,
    close: () => {},
  }),
};
