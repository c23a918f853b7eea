import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { isLogOrigin } from '@gateway/configuration';
import { errorCode } from '@gateway/contract/error-code';
import { type ChainName, readOriginName, type SignedTree, type Sql, signTree } from '@gateway/database';
import {
  NoteFault,
  type NoteKey,
  readTreeCheckpoint,
  type TreeCheckpoint,
  TreeFault,
  verifyNote,
} from '@gateway/ledger';
import { CommandFailed, type Context, WrongUsage } from '../context/context.ts';
import { openSigningKey } from '../context/operator.ts';
import { showProgress } from '../context/progress.ts';

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

/** Characters that are written at once. */
const PIECE = 1 << 20;

/** Writes a file as a whole: where the pieces or the disk fail, there is none, and an older one stays. */
export async function writeWhole(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const beside = `${path}.${randomUUID()}.writing`;
  const fail = (error: unknown): never => {
    throw new CommandFailed(`${path} cannot be written (${errorCode(error)}).`);
  };
  const file = await open(beside, 'wx', 0o644).catch(fail);
  try {
    let waiting = '';
    for await (const piece of pieces) {
      waiting += piece;
      if (waiting.length < PIECE) continue;
      await file.write(waiting).catch(fail);
      waiting = '';
    }
    await file.write(waiting).catch(fail);
    await file.sync().catch(fail);
    await file.close();
    await rename(beside, path).catch(fail);
  } catch (error) {
    await file.close().catch(() => {}); // closed before
    rmSync(beside, { force: true });
    throw error;
  }
}
