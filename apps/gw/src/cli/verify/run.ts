import { createHash } from 'node:crypto';
import { legible } from '@gateway/contract/legible';
import { readVerificationKey, SigningKeyFault, type VerificationKey } from '@gateway/ledger';
import { FIXES, readText } from '../../files/reading.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import { readSealed, verifyBundle } from '../../release/verify.ts';
import { EXIT } from '../command/exit.ts';

interface Options {
  readonly bundle: string;
  readonly key: string | null;
  readonly current: string | null;
  readonly json: boolean;
}

export async function runVerify({ environment, terminal }: Context, options: Options): Promise<number> {
  const { bundle, current, json } = options;
  const folder = pathFrom(environment, bundle);
  const sealed = await readSealed(folder);
  if (sealed === null) {
    throw new CommandFailed(`${bundle} is not a release bundle: release.json or release.json.sig is missing.`);
  }
  if (options.key === null)
    throw new WrongUsage('--key is missing. Give the public key of the publisher: --key PUBLIC.pem.');
  const key = await readKey(pathFrom(environment, options.key), options.key);
  const { version, files, faults } = await verifyBundle(folder, sealed, key, current);
  const digest = createHash('sha256').update(sealed.manifest).digest('hex');
  const ok = faults.length === 0;
  if (json) await terminal.write(`${JSON.stringify({ ok, version, digest, files, faults })}\n`);
  else if (ok)
    await terminal.write(
      `${bundle} matches its signature: version ${version}, ${pluralize(files, 'file')}, digest ${digest}\n`,
    );
  for (const { fault, file, message } of faults) terminal.report(`gw: ${fault}: ${legible(file)}: ${message}\n`);
  return ok ? EXIT.done : EXIT.failed;
}

async function readKey(path: string, shown: string): Promise<VerificationKey> {
  const read = await readText(path);
  if (read.state !== 'read')
    throw new WrongUsage(`--key ${shown} cannot be read (${read.state}). ${FIXES[read.state]}`);
  try {
    return readVerificationKey(read.text);
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new WrongUsage(`--key ${shown} ${error.message}.`);
    throw error;
  }
}
