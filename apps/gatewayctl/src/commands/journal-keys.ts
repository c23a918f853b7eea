import { listSigningKeys } from '@gateway/database/administration';
import { toNoteKey, writeNoteKey } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { chosenLog, type LogOption } from '../journal/logs.ts';
import { logName } from '../journal/signed-tree.ts';
import { withDatabase } from '../operator/owner-database.ts';

export interface JournalKeysOptions extends LogOption {
  /** In note form, for checkpoints and proofs. */
  readonly note?: boolean;
}

/** `journal keys [--note]`: the public keys that sealed the logs, for an auditor to keep (log-6). They sign both logs. */
export async function runJournalKeys(context: Context, options: JournalKeysOptions): Promise<void> {
  chosenLog(options);
  const [keys, name] = await withDatabase(context.environment, async (sql) => {
    return [await listSigningKeys(sql), options.note === true ? await logName(context, sql) : null] as const;
  });
  if (name !== null) {
    const lines = keys.map(({ publicKey }) => writeNoteKey(toNoteKey(name, publicKey)));
    const values = keys.map(({ id, component, registeredAt }, at) => ({
      id,
      component,
      registeredAt,
      noteKey: lines[at],
    }));
    return print(context, values, lines);
  }
  const lines = keys.flatMap(({ id, component, registeredAt, publicKey }) => [
    `# ${component}, registered ${registeredAt}, id ${id}`,
    publicKey.trim(),
  ]);
  await print(context, keys, lines.length > 0 ? lines : ['No key has sealed anything yet.']);
}
