import { installPolicy } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { withAct } from '../operator/operator.ts';

/** `policy lift`: back to the role matrix alone. A command of its own, so that no empty file or pipe does it. */
export async function runPolicyLift(context: Context, options: { readonly author?: string }): Promise<void> {
  const { revision } = await withAct(context, options.author, (act) => installPolicy(act, ''));
  await print(context, { revision, policies: 0 }, [
    `Revision ${revision} is in force: it has no policy, so only the role matrix applies.`,
  ]);
}
