import { hash } from 'node:crypto';
import type { Reading, Variable } from '@gateway/configuration';
import { isAccountKey, isWeakAccountKey, LEAST_DISTINCT_DIGITS, refusal } from '@gateway/contract';
import { type DatabaseAddress, whyUnanswered, withPool } from '@gateway/database';
import { installAdministrator } from '@gateway/domain/account/gateway';
import { readModelPrices } from '@gateway/domain/usage/gateway';
import { StartupFault } from '../process/report.ts';
import { plan } from '../relay/steps/plan.ts';
import { DATABASE_BUDGET, START_CONNECTION } from '../store/database.ts';
import { createCostMeter } from '../telemetry/cost.ts';
import type { Profile } from './profile.ts';

const RULE = `gwk_ followed by 48 lowercase hexadecimal characters, at least ${LEAST_DISTINCT_DIGITS} of them different`;

const key: Variable = {
  name: 'ADMIN_API_KEY',
  form: RULE,
  fallback: null,
  effect: 'Key of the account admin, which the first start creates. The account gets no role.',
};

const ADMINISTRATOR_VARIABLES: readonly Variable[] = [key];

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

/** The administrator's key, required at every start of the hosted build (refusals-22); null only after a fault. */
function readAdministratorKey(reading: Reading): string | null {
  const text = reading.required(key);
  if (text === null) return null;
  // The value is never shown: one that is nearly right is nearly the key.
  if (!isAccountKey(text)) reading.fault(key, `is not an account key. It must be ${RULE}.`);
  else if (isWeakAccountKey(text)) reading.fault(key, `is too weak. It must be ${RULE}.`);
  return text;
}
