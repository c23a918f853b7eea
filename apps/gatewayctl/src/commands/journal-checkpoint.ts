import { writeFile } from 'node:fs/promises';
import { ACTIONS, DECISIONS, readChainEnd, registerSigningKey } from '@gateway/database';
import { GENESIS, makeCheckpoint } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { openSigningKey } from '../operator/signing-key.ts';

/**
 * `journal checkpoint [--output FILE]`: a signed note of the ends of both chains, to be stored where the owner of the database
 * cannot change it. It reveals a truncated, restored, forked or re-signed log (log-8).
 */
export async function runJournalCheckpoint(context: Context, options: { readonly output?: string }): Promise<void> {
  const signer = openSigningKey(context.environment.signingKeyFile);
  const places = await withDatabase(context.environment, async (sql) => {
    await registerSigningKey(sql, signer, 'gatewayctl');
    return Promise.all(
      ([DECISIONS, ACTIONS] as const).map(async (chain) => {
        const { lastEntry, digest } = await readChainEnd(sql, chain);
        return { chain, sequence: lastEntry, digest: digest ?? GENESIS };
      }),
    );
  });
  const at = new Date().toISOString();
  const checkpoint = makeCheckpoint(signer, at, places);
  const { output } = options;
  if (output !== undefined) {
    await writeFile(output, checkpoint).catch((error: NodeJS.ErrnoException) => {
      throw new CommandFailed(`${output} cannot be written (${error.code}).`);
    });
  }
  const shown = places.map(({ chain, sequence }) => ({ chain, sequence: Number(sequence) }));
  const lines = output === undefined ? [checkpoint.trimEnd()] : [`Wrote the checkpoint to ${output}.`];
  await print(context, { at, keyId: signer.keyId, places: shown, checkpoint }, lines);
}
