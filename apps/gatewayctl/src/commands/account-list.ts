import { listAccounts } from '@gateway/database/administration';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

/** `account list`. */
export async function runAccountList(context: Context, options: { readonly limit?: string }): Promise<void> {
  const values = await withDatabase(context.environment, listAccounts);
  const listing = {
    header: ['ACCOUNT', 'ORIGIN', 'STATE', 'PLAN', 'KEYS'],
    values,
    row: (one: (typeof values)[number]) => [
      one.username,
      one.origin,
      one.enabled ? 'enabled' : 'disabled',
      one.plan ?? '',
      one.keys
        .map(({ lastFour, expiresAt }) => `…${lastFour}${expiresAt === null ? '' : ` (to ${expiresAt.slice(0, 10)})`}`)
        .join(' '),
    ],
    none: 'There is no account.',
  };
  await printList(context, listing, options.limit);
}
