import { newAccountKey } from '@gateway/access';
import { changeAccount, createAccount } from '@gateway/domain/account/acts';
import { rotateKey } from '@gateway/domain/account/key-acts';
import { listAccounts } from '@gateway/domain/account/owner';
import { checkEmail, checkExpiry, checkLine, checkText, checkUsername } from '../context/check.ts';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { findAccount, findPlan } from '../context/find.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

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

/** `account disable|enable NAME`: a disabled account is refused like a wrong proof (roles-4). */
export async function runAccountEnabled(
  context: Context,
  username: string,
  enabled: boolean,
  options: { readonly author?: string },
): Promise<void> {
  const changed = await withAct(context, options.author, async (act) => {
    const before = await findAccount(act.sql, username);
    // A project could undo its own decision, so it becomes the operator's.
    if (before.enabled === enabled && !before.disabledByProject) return false;
    await changeAccount(act, before, { enabled });
    return true;
  });
  const state = enabled ? 'enabled' : 'disabled';
  const line = changed ? `${username} is ${state}.` : `${username} was ${state} already; nothing changed.`;
  await print(context, { username, enabled, changed }, [line]);
}

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
