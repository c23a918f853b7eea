import { listAccounts } from '@gateway/database/owner';
import { type Context, print } from '../context.ts';
import { withDatabase } from '../owner-database.ts';
import { table } from '../table.ts';

/** `account list`. */
export async function runAccountList(context: Context): Promise<void> {
  const accounts = await withDatabase(context.environment, listAccounts);
  const rows = accounts.map((one) => [
    one.username,
    one.origin,
    one.enabled ? 'enabled' : 'disabled',
    one.plan ?? '',
    one.keys.map(({ lastFour }) => `…${lastFour}`).join(' '),
  ]);
  const lines =
    rows.length > 0 ? table(['ACCOUNT', 'ORIGIN', 'STATE', 'PLAN', 'KEYS'], rows) : ['There is no account.'];
  await print(context, accounts, lines);
}
