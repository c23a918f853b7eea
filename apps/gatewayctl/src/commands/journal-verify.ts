import { readFile } from 'node:fs/promises';
import {
  ACTIONS,
  type ChainName,
  DECISIONS,
  readChain,
  readChainEnd,
  readSigningKeys,
  type Sql,
} from '@gateway/database';
import {
  type Checkpoint,
  CheckpointFault,
  readCheckpoint,
  readVerificationKeys,
  SigningKeyFault,
  type Verdict,
  type VerificationKey,
  verifyChain,
} from '@gateway/ledger';
import { type Context, print } from '../context.ts';
import { CommandFailed } from '../fault.ts';
import { withDatabase } from '../owner-database.ts';
import { showProgress } from '../progress.ts';

export interface JournalVerifyOptions {
  /** Files of public keys: only their seals count then. */
  readonly publicKey?: readonly string[];
  /** File of a checkpoint. */
  readonly since?: string;
}

type Keys = ReadonlyMap<string, VerificationKey>;

async function contents(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be read (${error.code}).`);
  });
}

async function trustedKeys(sql: Sql, files: readonly string[]): Promise<Keys> {
  if (files.length === 0) return readSigningKeys(sql);
  const keys = new Map<string, VerificationKey>();
  for (const file of files) {
    try {
      for (const key of readVerificationKeys(await contents(file))) keys.set(key.id, key);
    } catch (error) {
      if (error instanceof SigningKeyFault) throw new CommandFailed(`${file} ${error.message}.`);
      throw error;
    }
  }
  return keys;
}

/** The note itself, also of a file that holds what `journal checkpoint --json` printed. */
function noteIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const { checkpoint }: { readonly checkpoint?: unknown } = JSON.parse(text);
    return typeof checkpoint === 'string' ? checkpoint : '';
  } catch {
    return '';
  }
}

async function checkpointOf(file: string | undefined, keys: Keys): Promise<Checkpoint | null> {
  if (file === undefined) return null;
  try {
    return readCheckpoint(noteIn(await contents(file)), keys);
  } catch (error) {
    if (error instanceof CheckpointFault) throw new CommandFailed(`${file}: ${error.message}`);
    throw error;
  }
}

async function verifyOne(
  context: Context,
  sql: Sql,
  chain: ChainName,
  trusted: { readonly keys: Keys; readonly checkpoint: Checkpoint | null },
): Promise<Verdict> {
  const { lastEntry, lastSeal } = await readChainEnd(sql, chain);
  const place = trusted.checkpoint?.places.find((one) => one.chain === chain);
  const progress = showProgress(context.terminal, chain, lastEntry);
  try {
    return await verifyChain(readChain(sql, chain, lastEntry), {
      chain,
      keys: trusted.keys,
      lastSeal,
      onProgress: (done) => progress.at(done),
      ...(place ? { checkpoint: place } : {}),
    });
  } finally {
    progress.end();
  }
}

function line(chain: ChainName, verdict: Verdict): string {
  if (verdict.ok) return `${chain}: intact, ${verdict.entries} ${verdict.entries === 1n ? 'entry' : 'entries'}.`;
  return `${chain}: NOT INTACT at entry ${verdict.sequence}. ${verdict.sentence}`;
}

/**
 * `journal verify [--public-key F] [--since CHECKPOINT]`: both chains from their first entry, every digest, link and
 * signature (decisions §7). Entries that are appended meanwhile are left for the next time.
 */
export async function runJournalVerify(context: Context, options: JournalVerifyOptions): Promise<void> {
  const verdicts = await withDatabase(context.environment, async (sql) => {
    const keys = await trustedKeys(sql, options.publicKey ?? []);
    const checkpoint = await checkpointOf(options.since, keys);
    const found: [ChainName, Verdict][] = [];
    for (const chain of [DECISIONS, ACTIONS] as const) {
      found.push([chain, await verifyOne(context, sql, chain, { keys, checkpoint })]);
    }
    return found;
  });
  const ok = verdicts.every(([, verdict]) => verdict.ok);
  const chains = verdicts.map(([chain, verdict]) =>
    verdict.ok
      ? { chain, ok: true, entries: Number(verdict.entries) }
      : { chain, ok: false, fault: verdict.fault, sequence: Number(verdict.sequence), sentence: verdict.sentence },
  );
  await print(
    context,
    { ok, chains },
    verdicts.map(([chain, verdict]) => line(chain, verdict)),
  );
  if (!ok) throw new CommandFailed('The journal is not what was recorded.');
}
