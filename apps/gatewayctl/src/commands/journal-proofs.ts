import {
  type ChainName,
  DECISIONS,
  proveContinuation,
  readNoteKeys,
  rebuildTree,
  type Sql,
  verifyTree,
} from '@gateway/database';
import { partsOfOrigin, type TreeCheckpoint, TreeFault, toBase64, writeConsistencyProof } from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { readText } from '../context/find.ts';
import { withDatabase } from '../context/owner-database.ts';
import { showProgress } from '../context/progress.ts';
import { readExportedEntries } from '../journal/exported.ts';
import { chosenLog, chosenLogs, LOGS, type LogOption } from '../journal/logs.ts';
import { logName, openSignedTree, readCheckpointNote, treeFault, writeWhole } from '../journal/signed-tree.ts';

function chainOf({ origin }: TreeCheckpoint, name: string, file: string): ChainName {
  const parts = partsOfOrigin(origin);
  const chain = LOGS.find((one) => one === parts.chain);
  if (parts.name === name && chain !== undefined) return chain;
  throw new CommandFailed(
    `${file} is a checkpoint of ${origin}, not of a log of ${name}. Is GATEWAY_LOG_ORIGIN the same?`,
  );
}

/**
 * `journal consistency OLD [NEW] --out FILE`: the proof that the log at the newer checkpoint begins with the log at the older one.
 * Without NEW the newer one is made now.
 */
export async function runJournalConsistency(
  context: Context,
  [oldFile = '', newFile]: readonly string[],
  options: LogOption & { readonly out: string },
): Promise<void> {
  const wanted = chosenLog(options);
  const texts = [oldFile, newFile].map((file) => (file === undefined ? null : readText(file)));
  const [old, next] = await withDatabase(context.environment, async (sql) => {
    const name = await logName(context, sql);
    const keys = await readNoteKeys(sql, name);
    const before = readCheckpointNote(oldFile, texts[0] ?? '', keys);
    const chain = chainOf(before, name, oldFile);
    if (wanted !== null && wanted !== chain)
      throw new CommandFailed(`${oldFile} is a checkpoint of another log: ${chain}.`);
    const given = texts[1] == null ? null : readCheckpointNote(newFile ?? '', texts[1], keys);
    if (given !== null && given.origin !== before.origin) {
      throw new CommandFailed(`The checkpoints are of two logs: ${before.origin} and ${given.origin}.`);
    }
    if (given !== null && given.size < before.size) {
      throw new CommandFailed(
        `${oldFile} has more entries (${before.size}) than ${newFile} (${given.size}): exchange them.`,
      );
    }
    const signed = await openSignedTree(context, sql, chain);
    const after = given ?? signed.checkpoint;
    const largest = Math.max(before.size, after.size);
    if (largest > signed.tree.size) {
      throw new CommandFailed(
        `The log has ${signed.tree.size} entries, but the checkpoint knows ${largest}: it was truncated, or restored from a backup.`,
      );
    }
    const path = await proveContinuation(signed.tree, before, after).catch((error: unknown) => {
      throw treeFault(error);
    });
    if (path === null) {
      throw new CommandFailed(
        `The log is not a continuation of the log of ${before.size} entries in ${oldFile}: it was forked. Compare the two with journal export.`,
      );
    }
    const { out } = options;
    await writeWhole(
      out,
      (async function* () {
        yield writeConsistencyProof(before.note, after.note, path);
      })(),
    );
    return [before, after];
  });
  await print(context, { origin: next.origin, oldSize: old.size, size: next.size, file: options.out }, [
    `Wrote ${options.out}: the log of ${next.size} entries continues the one of ${old.size}.`,
  ]);
}

export interface JournalTreeOptions extends LogOption {
  readonly verify?: boolean;
  readonly rebuild?: boolean;
  /** Files of `archive` with the entries of the decision log that are no longer in the database. */
  readonly archive?: readonly string[];
}

interface Shown {
  readonly chain: ChainName;
  readonly size: number;
  readonly root: string;
  /** What is wrong; null where nothing is. */
  readonly fault: string | null;
}

/** The digests of archived entries, in their order. */
async function* digestsIn(files: readonly string[]): AsyncGenerator<string> {
  for await (const { chain, digest } of readExportedEntries(files)) {
    if (chain !== DECISIONS) throw new CommandFailed(`${files[0]} is not an archive of the decision log.`);
    yield digest;
  }
}

async function inspect(context: Context, sql: Sql, chain: ChainName, options: JournalTreeOptions): Promise<Shown> {
  const { verify = false, rebuild = false, archive = [] } = options;
  const archived = () => digestsIn(chain === DECISIONS ? archive : []);
  const progress = showProgress(context.terminal, `tree of ${chain}`, 0n);
  const onProgress = (size: number) => progress.at(BigInt(size));
  try {
    if (rebuild) await rebuildTree(sql, chain, archived(), onProgress);
    const { tree } = await openSignedTree(context, sql, chain);
    if (verify) await verifyTree(sql, chain, tree.size, archived, onProgress);
    return { chain, size: tree.size, root: toBase64(tree.root), fault: null };
  } catch (error) {
    if (!(error instanceof TreeFault || error instanceof CommandFailed)) throw error;
    return { chain, size: 0, root: '', fault: error.message };
  } finally {
    progress.end();
  }
}

function lineOf({ chain, size, root, fault }: Shown, verified: boolean): string {
  if (fault !== null) return `${chain}: NOT INTACT. ${fault}`;
  return `${chain}: ${size} ${size === 1 ? 'entry' : 'entries'}, root ${root}${verified ? ', every tile is the one of its entries' : ''}.`;
}

/**
 * `journal tree [--verify] [--rebuild]`: size and root of each log's tree. `--verify` computes it again from the entries and
 * compares every stored tile; `--rebuild` replaces the stored tiles.
 */
export async function runJournalTree(context: Context, options: JournalTreeOptions): Promise<void> {
  const { verify = false, rebuild = false, archive = [] } = options;
  if (archive.length > 0 && !verify && !rebuild) throw new WrongUsage('--archive goes with --verify or --rebuild.');
  const shown = await withDatabase(context.environment, async (sql) => {
    const found: Shown[] = [];
    for (const chain of chosenLogs(options)) found.push(await inspect(context, sql, chain, options));
    return found;
  });
  const ok = shown.every(({ fault }) => fault === null);
  await print(
    context,
    { ok, logs: shown },
    shown.map((one) => lineOf(one, verify)),
  );
  if (!ok) throw new CommandFailed('The stored tree is not the one of the log.');
}
