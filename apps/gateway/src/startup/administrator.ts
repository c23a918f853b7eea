import { hash } from 'node:crypto';
import { connect, type DatabaseAddress, whyUnanswered } from '@gateway/database';
import { installAdministrator } from '@gateway/database/gateway';
import { START_CONNECTION } from './checks.ts';
import { StartupFault } from './fault.ts';

/** First start: the account `admin` from ADMIN_API_KEY (decisions §3). @returns the line that says so, where it was made now. */
export async function ensureAdministrator(address: DatabaseAddress, key: string): Promise<string | null> {
  const sql = connect(address, START_CONNECTION);
  try {
    const made = await installAdministrator(sql, { digest: hash('sha256', key, 'buffer'), lastFour: key.slice(-4) });
    return made ? 'The account admin was made from ADMIN_API_KEY. It has no role yet.' : null;
  } catch (error) {
    throw new StartupFault(`DATABASE_URL: the account admin could not be made: ${whyUnanswered(error)}.`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
