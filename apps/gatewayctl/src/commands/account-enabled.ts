import { setAccountEnabled } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { withOperator } from '../operator/operator.ts';

/** `account disable|enable NAME`: a disabled account is refused like a wrong proof (roles-4). */
export async function runAccountEnabled(
  context: Context,
  username: string,
  enabled: boolean,
  options: { readonly author?: string },
): Promise<void> {
  const changed = await withOperator(context, options.author, (sql, operator) =>
    setAccountEnabled(sql, operator, username, enabled),
  );
  const state = enabled ? 'enabled' : 'disabled';
  const line = changed ? `${username} is ${state}.` : `${username} was ${state} already; nothing changed.`;
  await print(context, { username, enabled, changed }, [line]);
}
