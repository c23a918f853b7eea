import { errorCode } from '@gateway/contract';
import postgres from 'postgres';
import { DatabaseUnavailable, isRefusedStatement } from '../../client/unavailable.ts';

/** Connection lost or refused, resources exhausted, shutdown, lock timeout. */
const CLASSES = ['08', '53', '57', '58', '40', '55P03'];

/** Whether an error means that the database did not answer, rather than that a statement was wrong. */
export function isUnavailability(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (error instanceof postgres.PostgresError)
    return !isRefusedStatement(error) || CLASSES.some((begin) => error.code.startsWith(begin));
  // The client's own codes for a connection that ended, and the operating system's for one that never began: a socket's file is not there.
  const neverBegan = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return neverBegan || /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(errorCode(error));
}
