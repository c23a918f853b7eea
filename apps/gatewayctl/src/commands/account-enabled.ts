import { changeAccount } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { findAccount } from '../operator/find.ts';
import { withAct } from '../operator/operator.ts';

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
