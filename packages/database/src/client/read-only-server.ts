import { errorCode } from '@gateway/contract/error-code';
import { DatabaseUnavailable, READ_ONLY_TRANSACTION } from './unavailable.ts';

const STANDBY =
  'the server is a standby in recovery and takes no changes: promote it, or point DATABASE_URL at the primary';
export const READ_ONLY =
  'the server is read-only and takes no changes: reset default_transaction_read_only, or point DATABASE_URL at the primary';

/** A connection leads to a server that takes no changes. It is closed and never used again: its server may stay so for ever. */
export class ReadOnlyServer extends DatabaseUnavailable {}

/**
 * What a reported parameter (ParameterStatus; PostgreSQL sends these two at the start of a session and whenever they change)
 * says about a server that takes no changes; null where it takes them.
 * @param isReading whether the session itself asked for read-only transactions.
 */
export function readOnlyFault(name: string, value: string, isReading: boolean): ReadOnlyServer | null {
  if (name === 'in_hot_standby' && value === 'on') return standbyFault();
  if (name === 'default_transaction_read_only' && value === 'on' && !isReading) return new ReadOnlyServer(READ_ONLY);
  return null;
}

export function standbyFault(): ReadOnlyServer {
  return new ReadOnlyServer(STANDBY);
}

/** Whether the server refused a statement, or a connection was refused here, because the server takes no changes. */
export function isReadOnlyFault(error: unknown): boolean {
  if (error instanceof ReadOnlyServer || errorCode(error) === READ_ONLY_TRANSACTION) return true;
  return error instanceof Error && error.cause !== undefined && isReadOnlyFault(error.cause);
}
