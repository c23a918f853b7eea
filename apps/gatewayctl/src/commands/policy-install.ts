import { checkHandedIn, describeFault } from '@gateway/access';
import { storable } from '@gateway/contract';
import { installPolicy, refusePolicy } from '@gateway/database/administration';
import { maskText } from '@gateway/secrets';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';
import { withAct } from '../operator/operator.ts';

/**
 * `policy install FILE`: as the console does it, for an operator that a policy in force locks out of the console. A refused
 * attempt is recorded too (roles-17).
 */
export async function runPolicyInstall(
  context: Context,
  file: string,
  options: { readonly author?: string },
): Promise<void> {
  const cedar = readText(file);
  const check = checkHandedIn(cedar);
  if (!check.ok) {
    const fault = check.faults.map(describeFault).join('; ');
    // Attempts are stored, shown and exported: a secret in a refused text is not stored, and an invalid character is replaced.
    const [kept, storedFault] = [cedar, fault].map((text) => maskText(storable(text))) as [string, string];
    await withAct(context, options.author, (act) => refusePolicy(act, kept, storedFault));
    throw new CommandFailed(`${file} was not installed. ${fault}`);
  }
  const { revision } = await withAct(context, options.author, (act) => installPolicy(act, cedar));
  await print(context, { revision, policies: check.policies.length }, [`Revision ${revision} is in force.`]);
}
