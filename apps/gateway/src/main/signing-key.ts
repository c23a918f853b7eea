import { type OpenedSigningKey, openSigningKey } from '@gateway/configuration';
import { announceSigningKey, type DatabaseAddress, DECISIONS, whyUnanswered, withPool } from '@gateway/database';
import type { Signer } from '@gateway/ledger';
import { StartupFault } from '../process/start-fault.ts';
import { START_CONNECTION } from '../store/start-connection.ts';

/** The key that signs the decision log. */
export function signingKeyOf(file: string): OpenedSigningKey {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new StartupFault(opened.fault);
  return opened;
}

/** Registers the key before its first entry. @returns the line for the operator where the owner must endorse it, or null */
export function announceKey(address: DatabaseAddress, signer: Signer): Promise<string | null> {
  const work = withPool(address, START_CONNECTION, (sql) => announceSigningKey(sql, signer, 'gateway', [DECISIONS]));
  return work.catch((error: unknown) => {
    throw new StartupFault(`DATABASE_URL: the signing key could not be registered: ${whyUnanswered(error)}.`);
  });
}
