import { hash } from 'node:crypto';
import { type DatabaseAddress, whyUnanswered, withPool } from '@gateway/database';
import { installAdministrator } from '@gateway/database/gateway';
import { StartupFault } from '../process/start-fault.ts';
import { START_CONNECTION } from '../store/start-connection.ts';

/** The lines about the key for the operator; the account keeps the keys that the console issued. */
const LINES = {
  made: 'The account admin was created from ADMIN_API_KEY. It has no role yet.',
  kept: null,
  'other-key':
    'ADMIN_API_KEY is not a key of the account admin, which an earlier start created. Change its keys in the console.',
} as const;

/** First start: the account `admin` from ADMIN_API_KEY (roles-9). @returns a line for the operator, or null. */
export async function ensureAdministrator(address: DatabaseAddress, key: string): Promise<string | null> {
  const kept = { digest: hash('sha256', key, 'buffer'), lastFour: key.slice(-4) };
  const work = withPool(address, START_CONNECTION, (sql) => installAdministrator(sql, kept));
  const outcome = await work.catch((error: unknown) => {
    throw new StartupFault(`DATABASE_URL: the account admin could not be created: ${whyUnanswered(error)}.`);
  });
  return LINES[outcome];
}
