import { graceEndOf, termOf } from '@gateway/access';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { verifyLicenseText } from '../operator/license-source.ts';

/** `license verify [FILE]`: exit code 0 where a gateway of this build would start with it, 1 where not. */
export async function runLicenseVerify(
  context: Context,
  file: string | undefined,
  options: { readonly publicKey?: string },
): Promise<void> {
  const { claims } = await verifyLicenseText(context, file, options.publicKey);
  if (termOf(claims, Date.now()) === 'elapsed') {
    throw new CommandFailed(`This license expired, and its grace elapsed on ${graceEndOf(claims).toISOString()}.`);
  }
  await print(context, { valid: true, licensee: claims.licensee, deployment: claims.deployment }, [
    `The license of ${claims.licensee} for ${claims.deployment} is valid until ${graceEndOf(claims).toISOString()} (including grace).`,
  ]);
}
