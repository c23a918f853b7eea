import type { ChainName, SigningKeyEntry } from '@gateway/database';
import type { VerificationResult } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { verifyKept } from '../journal/archives.ts';
import { verifyExported } from '../journal/exported.ts';
import { chosenLogs, type LogOption } from '../journal/logs.ts';
import type { Verified } from '../journal/losses.ts';
import { noteOf } from '../journal/trust.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { sequenceOf } from '../operator/sequence.ts';
import { keyLine } from './journal-keys.ts';

export interface JournalVerifyOptions extends LogOption {
  /** Files of public keys: of the endorsed keys, only these count then. */
  readonly publicKey?: readonly string[];
  /** File of a checkpoint. */
  readonly since?: string;
  /** Files that `journal export` or `archive` wrote, to verify instead of the database. */
  readonly export?: readonly string[];
  /** Files that `archive` wrote, to verify before the database. */
  readonly archive?: readonly string[];
  /** What `journal export --after` was given. */
  readonly after?: string;
}

function line(chain: ChainName, result: VerificationResult): string {
  if (!result.ok) return `${chain}: NOT INTACT at entry ${result.sequence}. ${result.sentence}`;
  const count = `${result.entries} ${result.entries === 1n ? 'entry' : 'entries'}`;
  const before = result.lastSequence - result.entries;
  return `${chain}: intact, ${count}${before > 0n ? ` after entry ${before}` : ''}.`;
}

function lossLines([chain, , losses]: Verified): string[] {
  return losses.map(({ sequence, detail }) => `${chain}: entry ${sequence} records a loss: ${detail}.`);
}

/** What is said of a key beside the verification; its PEM is in `journal keys`. */
function listed({ fingerprint, component, endorsed, endorsedBy, signed }: SigningKeyEntry) {
  return { fingerprint, component, endorsed, endorsedBy, signed };
}

/**
 * `journal verify [--public-key F] [--since CHECKPOINT]`: both chains, from their first entry or the one behind the last archive:
 * every digest, link and signature by an endorsed key (log-7). With `--archive FILE…` the archives too. With `--export FILE…` the chain of those
 * files instead, without the database.
 */
export async function runJournalVerify(context: Context, options: JournalVerifyOptions): Promise<void> {
  const { publicKey = [], since, export: files, archive: archives = [] } = options;
  const after = sequenceOf('--after', options.after);
  if (files !== undefined && publicKey.length === 0) {
    throw new WrongUsage('--export needs --public-key: an export does not show which keys to trust.');
  }
  if (files !== undefined && archives.length > 0) {
    throw new WrongUsage('--archive goes with the database: with --export, name all files there.');
  }
  if (files === undefined && options.after !== undefined) {
    throw new WrongUsage('--after goes with --export: the database is verified from its first entry.');
  }
  const logs = chosenLogs(options);
  const note = await noteOf(since);
  const { results, keys } =
    files === undefined
      ? await withDatabase(context.environment, (sql) =>
          verifyKept(context, sql, { logs, keyFiles: publicKey, note, archives }),
        )
      : { results: [await verifyExported(context, { files, after, logs }, publicKey, note)], keys: null };
  const ok = results.every(([, result]) => result.ok);
  const chains = results.map(([chain, result, losses]) =>
    result.ok
      ? { chain, ok: true, entries: Number(result.entries), ...(losses.length > 0 && { losses }) }
      : { chain, ok: false, fault: result.fault, sequence: Number(result.sequence), sentence: result.sentence },
  );
  await print(context, { ok, chains, ...(keys !== null && { keys: keys.map(listed) }) }, [
    ...results.flatMap((one) => [line(one[0], one[1]), ...lossLines(one)]),
    ...(keys ?? []).map(keyLine),
  ]);
  if (!ok) throw new CommandFailed('The journal is not what was recorded.');
}
