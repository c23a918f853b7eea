import { checkHandedIn, describeFault } from '@gateway/access';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';

/** `policy check FILE`: whether a text may be installed, and where it is wrong (roles-17). Nothing is installed. */
export async function runPolicyCheck(context: Context, file: string): Promise<void> {
  const check = checkHandedIn(readText(file));
  if (!check.ok) {
    if (context.json) await print(context, { sound: false, faults: check.faults }, []);
    throw new CommandFailed(`${file} may not be installed. ${check.faults.map(describeFault).join('; ')}`);
  }
  const policies = check.policies.map(({ name, position }) => ({ name, ...position }));
  const counted = policies.length === 1 ? '1 policy' : `${policies.length} policies`;
  await print(context, { sound: true, policies, warnings: check.warnings }, [
    `${file} may be installed: ${counted}.`,
    ...policies.map(({ name, line }) => `  ${name} (line ${line})`),
    ...check.warnings.map((warning) => `Warning: ${describeFault(warning)}`),
  ]);
}
