import { writeFile } from 'node:fs/promises';
import { DECISIONS, readChainEnd, registerSigningKey } from '@gateway/database';
import { GENESIS, makeCheckpoint, toBase64 } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { chosenLog, chosenLogs, type LogOption } from '../journal/logs.ts';
import { openSignedTree } from '../journal/signed-tree.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { openSigningKey } from '../operator/signing-key.ts';

export interface JournalCheckpointOptions extends LogOption {
  /** In note form, of one log. */
  readonly note?: boolean;
  readonly output?: string;
}

/**
 * `journal checkpoint [--note] [--log LOG] [--output FILE]`: a signed note of the ends of both chains, to be stored where the owner
 * of the database cannot change it. It reveals a truncated, restored, forked or re-signed log (log-8). With `--note` the size and
 * the root of one log's tree instead (C2SP tlog-checkpoint).
 */
export async function runJournalCheckpoint(context: Context, options: JournalCheckpointOptions): Promise<void> {
  const { output } = options;
  const [checkpoint, value] =
    options.note === true ? await treeNote(context, options) : await chainNote(context, options);
  if (output !== undefined) {
    await writeFile(output, checkpoint).catch((error: NodeJS.ErrnoException) => {
      throw new CommandFailed(`${output} cannot be written (${error.code}).`);
    });
  }
  const lines = output === undefined ? [checkpoint.trimEnd()] : [`Wrote the checkpoint to ${output}.`];
  await print(context, { ...value, checkpoint }, lines);
}

type Made = readonly [note: string, value: object];

async function treeNote(context: Context, options: LogOption): Promise<Made> {
  const chain = chosenLog(options) ?? DECISIONS;
  return withDatabase(context.environment, async (sql) => {
    const { checkpoint } = await openSignedTree(context, sql, chain);
    const { note, origin, size, root } = checkpoint;
    return [note, { origin, size, root: toBase64(root) }];
  });
}

async function chainNote(context: Context, options: LogOption): Promise<Made> {
  const signer = openSigningKey(context.environment.signingKeyFile);
  const places = await withDatabase(context.environment, async (sql) => {
    await registerSigningKey(sql, signer, 'gatewayctl');
    return Promise.all(
      chosenLogs(options).map(async (chain) => {
        const { lastEntry, digest } = await readChainEnd(sql, chain);
        return { chain, sequence: lastEntry, digest: digest ?? GENESIS };
      }),
    );
  });
  const at = new Date().toISOString();
  const shown = places.map(({ chain, sequence }) => ({ chain, sequence: Number(sequence) }));
  return [makeCheckpoint(signer, at, places), { at, keyId: signer.keyId, places: shown }];
}
