import { listSigningKeys } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';

/** `journal keys`: the public keys that sealed the logs, for an auditor to keep (log-6). */
export async function runJournalKeys(context: Context): Promise<void> {
  const keys = await withDatabase(context.environment, listSigningKeys);
  const lines = keys.flatMap(({ id, component, registeredAt, publicKey }) => [
    `# ${component}, registered ${registeredAt}, id ${id}`,
    publicKey.trim(),
  ]);
  await print(context, keys, lines.length > 0 ? lines : ['No key has sealed anything yet.']);
}
