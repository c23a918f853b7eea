import { isLogOrigin } from '@gateway/configuration';
import { type ChainName, readOriginName, type SignedTree, type Sql, signTree } from '@gateway/database';
import {
  NoteFault,
  type NoteKey,
  readTreeCheckpoint,
  type TreeCheckpoint,
  TreeFault,
  verifyNote,
} from '@gateway/ledger';
import type { Context } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { openSigningKey } from '../operator/signing-key.ts';

/** GATEWAY_LOG_ORIGIN, checked. */
function originOf({ environment }: Context): string | null {
  const { logOrigin = null } = environment;
  if (logOrigin === null || isLogOrigin(logOrigin)) return logOrigin;
  throw new WrongUsage(
    'GATEWAY_LOG_ORIGIN must be a name without white space and plus signs, and without a slash at its end.',
  );
}

/** The name of the logs in checkpoints, and of the keys that sign them. */
export function logName(context: Context, sql: Sql): Promise<string> {
  return readOriginName(sql, originOf(context));
}

/** The current tree of a log with its checkpoint, signed with this operator's key. */
export async function openSignedTree(context: Context, sql: Sql, chain: ChainName): Promise<SignedTree> {
  const { environment, terminal } = context;
  const signer = {
    signer: openSigningKey(environment.signingKeyFile),
    component: 'gatewayctl',
    origin: originOf(context),
  };
  const progress = showProgress(terminal, `tree of ${chain}`, 0n);
  try {
    return await signTree(sql, chain, signer, (size) => progress.at(BigInt(size)));
  } catch (error) {
    throw treeFault(error);
  } finally {
    progress.end();
  }
}

/** A fault of the tree as a command reports it. */
export function treeFault(error: unknown): unknown {
  return error instanceof TreeFault ? new CommandFailed(error.message) : error;
}

/** A checkpoint of these logs in note form, from a file. Any registered key may have signed it. */
export function readCheckpointNote(file: string, text: string, keysFor: readonly NoteKey[]): TreeCheckpoint {
  try {
    const checkpoint = readTreeCheckpoint(text);
    verifyNote(checkpoint, keysFor);
    return checkpoint;
  } catch (error) {
    if (error instanceof NoteFault) throw new CommandFailed(`${file}: ${error.message}`);
    throw error;
  }
}
