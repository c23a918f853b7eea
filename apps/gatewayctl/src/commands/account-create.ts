import { newAccountKey } from '@gateway/access';
import { createAccount } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkEmail, checkExpiry, checkLine, checkText, checkUsername } from '../operator/check.ts';
import { findPlan } from '../operator/find.ts';
import { withAct } from '../operator/operator.ts';

export interface AccountCreateOptions {
  readonly author?: string;
  readonly plan?: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly label: string;
  readonly expires?: string;
}

/** `account create NAME`: a local account with its first key, which is shown here and nowhere again (roles-2). */
export async function runAccountCreate(context: Context, name: string, options: AccountCreateOptions): Promise<void> {
  const { author, plan = null } = options;
  const username = checkUsername(name);
  const displayName = options.displayName === undefined ? null : checkLine(options.displayName, 'display name', 200);
  const email = options.email === undefined ? null : checkEmail(options.email);
  const label = checkText(options.label, 'label');
  const expiresAt = options.expires === undefined ? null : checkExpiry(options.expires);
  const { key, ...kept } = newAccountKey();
  await withAct(
    context,
    author,
    async (act) => {
      const account = { username, displayName, email, plan: await findPlan(act.sql, plan), enabled: true };
      await createAccount(act, account, { ...kept, label, expiresAt });
    },
    ({ kind }) => (kind === 'taken' ? `There is an account ${username} already.` : undefined),
  );
  await print(context, { username, key }, [`Created the account ${username}. Its key, which is not shown again:`, key]);
}
