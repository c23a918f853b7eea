import { newAccountKey } from '@gateway/access';
import { rotateAccountKey } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkedExpiry, checkedWords } from '../operator/checked.ts';
import { withOperator } from '../operator/operator.ts';

/** `account rotate-key NAME`: a new key, and the end of those that were in force (roles-3). */
export async function runAccountRotateKey(
  context: Context,
  username: string,
  options: { readonly author?: string; readonly label: string; readonly expires?: string },
): Promise<void> {
  const label = checkedWords(options.label, 'label');
  const expiresAt = options.expires === undefined ? null : checkedExpiry(options.expires);
  const { key, ...kept } = newAccountKey();
  const revoked = await withOperator(context, options.author, (sql, operator) =>
    rotateAccountKey(sql, operator, username, { ...kept, label, expiresAt }),
  );
  await print(context, { username, key, revoked }, [
    `${username} has a new key, which is not shown again; ${revoked === 1 ? '1 key was' : `${revoked} keys were`} revoked.`,
    key,
  ]);
}
