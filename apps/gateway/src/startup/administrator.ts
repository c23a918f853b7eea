import { hash } from 'node:crypto';
import { connect, type DatabaseAddress } from '@gateway/database';
import { installAdministrator } from '@gateway/database/gateway';

/** First start: the account `admin` from ADMIN_API_KEY (decisions §3). @returns whether it was made now. */
export async function ensureAdministrator(address: DatabaseAddress, key: string): Promise<boolean> {
  const sql = connect(address, { max: 1, applicationName: 'gateway start' });
  try {
    return await installAdministrator(sql, { digest: hash('sha256', key, 'buffer'), lastFour: key.slice(-4) });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
