import { newAccountKey } from '@gateway/access';
import { rotateKey } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkExpiry, checkText } from '../operator/check.ts';
import { findAccount } from '../operator/find.ts';
import { withAct } from '../operator/operator.ts';

/** `account rotate-key NAME`: a new key, and the end of those that were in force (roles-3). */
export async function runAccountRotateKey(
  context: Context,
  username: string,
  options: { readonly author?: string; readonly label: string; readonly expires?: string },
): Promise<void> {
  const label = checkText(options.label, 'label');
  const expiresAt = options.expires === undefined ? null : checkExpiry(options.expires);
  const { key, ...kept } = newAccountKey();
  const revoked = await withAct(context, options.author, async (act) => {
    const account = await findAccount(act.sql, username);
    if (account.origin !== 'local') {
      throw new CommandFailed(`${username} is an identity of the identity provider: it signs in there and has no key.`);
    }
    return (await rotateKey(act, account, null, { ...kept, label, expiresAt })).revoked.length;
  });
  await print(context, { username, key, revoked }, [
    `${username} has a new key, which is not shown again; ${revoked === 1 ? '1 key was' : `${revoked} keys were`} revoked.`,
    key,
  ]);
}
