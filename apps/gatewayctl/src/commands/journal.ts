import { type ChainName, listSigningKeys, type SigningKeyEntry } from '@gateway/database';
import { endorseSigningKey } from '@gateway/database/audit-log/owner';
import { toNoteKey, type VerificationResult, writeNoteKey } from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { sequenceOf, withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';
import { verifyExported, verifyKept } from '../journal/exported.ts';
import { chosenLog, chosenLogs, type LogOption, type Verified } from '../journal/logs.ts';
import { logName } from '../journal/signed-tree.ts';
import { noteOf } from '../journal/trust.ts';

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

function endorsement({ fingerprint, endorsed, endorsedBy, registeredAt }: SigningKeyEntry): string {
  if (endorsedBy !== null) return `endorsed by ${endorsedBy}`;
  if (endorsed) return 'registered while the log was empty';
  if (registeredAt === null) return 'NOT ENDORSED: this key was never registered';
  return `NOT ENDORSED: if it is yours, run gatewayctl journal keys endorse ${fingerprint} --author NAME`;
}

/** A key on one line: its fingerprint, its component, its endorsement, and what it signed. */
export function keyLine(key: SigningKeyEntry): string {
  const signed = key.signed.map(({ chain, first, last }) => `${chain} ${first} to ${last}`).join(', ');
  return `key ${key.fingerprint} (${key.component}): ${endorsement(key)}; signed ${signed === '' ? 'nothing' : signed}.`;
}

export interface JournalKeysOptions extends LogOption {
  /** In note form, for checkpoints and proofs. */
  readonly note?: boolean;
}

/**
 * `journal keys [--note]`: the public keys that sealed the logs, for an auditor to keep (log-6). They sign both logs. Of a key that
 * is not endorsed, only its fingerprint is printed: what it signed does not verify.
 */
export async function runJournalKeys(context: Context, options: JournalKeysOptions): Promise<void> {
  chosenLog(options);
  const [all, name] = await withDatabase(context.environment, async (sql) => {
    return [await listSigningKeys(sql), options.note === true ? await logName(context, sql) : null] as const;
  });
  const keys = all.flatMap((key) => (key.publicKey === null ? [] : { ...key, publicKey: key.publicKey }));
  if (name !== null) {
    const endorsed = keys.filter((key) => key.endorsed);
    const lines = endorsed.map(({ publicKey }) => writeNoteKey(toNoteKey(name, publicKey)));
    const values = endorsed.map(({ fingerprint: id, component, registeredAt }, at) => ({
      id,
      component,
      registeredAt,
      noteKey: lines[at],
    }));
    return print(context, values, lines);
  }
  const lines = keys.flatMap((key) => [
    `# ${key.component}, registered ${key.registeredAt}, id ${key.fingerprint}, ${endorsement(key)}`,
    ...(key.endorsed ? [key.publicKey.trim()] : []),
  ]);
  await print(
    context,
    keys.map(({ fingerprint, ...key }) => ({ id: fingerprint, fingerprint, ...key })),
    lines.length > 0 ? lines : ['No key has sealed anything yet.'],
  );
}

/** `journal keys endorse FINGERPRINT --author A`: accepts what a registered key signs. The owner alone can. */
export async function runEndorse(
  context: Context,
  given: string,
  { author }: { readonly author?: string },
): Promise<void> {
  const fingerprint = given.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(fingerprint)) {
    throw new WrongUsage('The fingerprint must be 64 hexadecimal digits, as gatewayctl journal keys prints them.');
  }
  const changed = await withAct(context, author, (act) => endorseSigningKey(act, fingerprint));
  if (changed === null) {
    throw new CommandFailed(`No key ${fingerprint} is registered. List the keys: gatewayctl journal keys`);
  }
  const line = `The key ${fingerprint} is endorsed${changed ? '' : ' already; nothing changed'}.`;
  await print(context, { fingerprint, endorsed: true, changed }, [line]);
}
