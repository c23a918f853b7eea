import { listSigningKeys, type SigningKeyEntry } from '@gateway/database';
import { endorseSigningKey } from '@gateway/database/administration';
import { toNoteKey, writeNoteKey } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { chosenLog, type LogOption } from '../journal/logs.ts';
import { logName } from '../journal/signed-tree.ts';
import { withAct } from '../operator/operator.ts';
import { withDatabase } from '../operator/owner-database.ts';

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
