import { type ChainName, DECISIONS, rebuildTree, type Sql, verifyTree } from '@gateway/database';
import { TreeFault, toBase64 } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { readExportedEntries } from '../journal/exported.ts';
import { chosenLogs, type LogOption } from '../journal/logs.ts';
import { openSignedTree } from '../journal/signed-tree.ts';
import { withDatabase } from '../operator/owner-database.ts';

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
