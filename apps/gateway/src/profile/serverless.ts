import { hash } from 'node:crypto';
import { refusal } from '@gateway/contract';
import { type DatabaseAddress, whyUnanswered, withPool } from '@gateway/database';
import { installAdministrator, readModelPrices } from '@gateway/database/gateway';
import { ADMINISTRATOR_VARIABLES, readAdministratorKey } from '../config/administrator.ts';
import { StartupFault } from '../process/start-fault.ts';
import { plan } from '../relay/steps/plan.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { START_CONNECTION } from '../store/start-connection.ts';
import { createCostMeter } from '../telemetry/cost.ts';
import type { Profile } from './profile.ts';

/** The lines about the key for the operator; the account keeps the keys that the console issued. */
const LINES = {
  made: 'The account admin was created from ADMIN_API_KEY. It has no role yet.',
  kept: null,
  'other-key':
    'ADMIN_API_KEY is not a key of the account admin, which an earlier start created. Change its keys in the console.',
} as const;

/** First start: the account `admin` from ADMIN_API_KEY (roles-9). @returns a line for the operator, or null. */
async function ensureAdministrator(address: DatabaseAddress, key: string): Promise<string | null> {
  const kept = { digest: hash('sha256', key, 'buffer'), lastFour: key.slice(-4) };
  const work = withPool(address, START_CONNECTION, (sql) => installAdministrator(sql, kept));
  const outcome = await work.catch((error: unknown) => {
    throw new StartupFault(`DATABASE_URL: the account admin could not be created: ${whyUnanswered(error)}.`);
  });
  return LINES[outcome];
}

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
