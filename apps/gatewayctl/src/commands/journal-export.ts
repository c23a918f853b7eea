import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { errorCode } from '@gateway/contract/error-code';
import { DECISIONS, readChain, readChainEnd, registerSigningKey } from '@gateway/database';
import { GENESIS, makeCheckpoint, toBase64, writeExportedEntry } from '@gateway/ledger';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { openSigningKey, sequenceOf } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';
import { showProgress } from '../context/progress.ts';
import { chosenLog, chosenLogs, type LogOption } from '../journal/logs.ts';
import { openSignedTree } from '../journal/signed-tree.ts';

export interface JournalExportOptions extends LogOption {
  readonly after?: string;
  readonly output?: string;
}

interface Sink {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

function sinkFor({ terminal }: Context, output: string | undefined): Sink {
  if (output === undefined) return { write: (text) => terminal.write(text), end: async () => {} };
  const file = createWriteStream(output, { mode: 0o600 });
  const done = finished(file);
  done.catch(() => {}); // reported by the write or by the end
  const failed = (error: unknown): never => {
    throw new CommandFailed(`${output} cannot be written (${errorCode(error)}).`);
  };
  return {
    async write(text) {
      if (!file.write(text)) await Promise.race([once(file, 'drain'), done]).catch(failed);
    },
    async end() {
      file.end();
      await done.catch(failed);
    },
  };
}

/**
 * `journal export [--log decisions|administration] [--after SEQUENCE] [--output FILE]`: one JSON object a line, with the digests
 * and seals, so that it can be verified elsewhere.
 */
export async function runJournalExport(context: Context, options: JournalExportOptions): Promise<void> {
  const { output } = options;
  const name = chosenLog(options) ?? DECISIONS;
  const after = sequenceOf('--after', options.after);
  await withDatabase(context.environment, async (sql) => {
    const { lastEntry } = await readChainEnd(sql, name);
    const sink = sinkFor(context, output);
    const progress = showProgress(context.terminal, name, lastEntry);
    try {
      for await (const entry of readChain(sql, name, lastEntry, { after })) {
        await sink.write(`${writeExportedEntry({ chain: name, ...entry })}\n`);
        if (entry.sequence % 1024n === 0n) progress.at(entry.sequence);
      }
    } finally {
      progress.end();
      await sink.end();
    }
  });
}

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
