import { readPolicyInForce } from '@gateway/database/console';
import { type Context, print } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';

/** `policy show`: the authorization policy in force, as it was installed. */
export async function runPolicyShow(context: Context): Promise<void> {
  const policy = (await withDatabase(context.environment, readPolicyInForce)) ?? null;
  const lines =
    policy === null
      ? ['No authorization policy was ever installed: only the role matrix applies.']
      : [
          `// Revision ${policy.revision}, installed by ${policy.author} at ${policy.installedAt.toISOString()}`,
          policy.cedar,
        ];
  await print(context, { policy }, lines);
}
