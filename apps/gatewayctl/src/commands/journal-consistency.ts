import { type ChainName, proveContinuation, readNoteKeys } from '@gateway/database';
import { partsOfOrigin, type TreeCheckpoint, writeConsistencyProof } from '@gateway/ledger';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';
import { chosenLog, LOGS, type LogOption } from '../journal/logs.ts';
import { writeWhole } from '../journal/output-file.ts';
import { logName, openSignedTree, readCheckpointNote, treeFault } from '../journal/signed-tree.ts';
import { withDatabase } from '../operator/owner-database.ts';

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
