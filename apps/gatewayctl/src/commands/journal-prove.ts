import { Readable } from 'node:stream';
import {
  type ChainName,
  DECISIONS,
  type EntrySelection,
  proveEntry,
  provePeriod,
  proveStored,
  type SignedTree,
  type Sql,
  selectEntries,
} from '@gateway/database';
import { type EntryProof, type ExportedEntry, writeInclusionProof, writePeriodProof } from '@gateway/ledger';
import { checkInstant } from '../context/check.ts';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { sequenceOf } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';
import { readExportedEntries } from '../journal/exported.ts';
import { chosenLog, type LogOption } from '../journal/logs.ts';
import { openSignedTree, treeFault, writeWhole } from '../journal/signed-tree.ts';

export interface JournalProveOptions extends LogOption {
  readonly entry?: string;
  readonly id?: string;
  readonly requestId?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly until?: string;
  /** Files of `archive` that contain entries that are no longer in the database. */
  readonly archive?: readonly string[];
  readonly out: string;
  /** A second file, with the digests of all entries of the period. */
  readonly rest?: string;
}

function selectionOf({ entry, id, requestId, subject, from, until, rest }: JournalProveOptions): EntrySelection {
  const given = [entry, id, requestId, subject].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new WrongUsage('Name the entries with one of --entry, --id, --request-id and --subject.');
  if (subject === undefined && [from, until, rest].some((one) => one !== undefined)) {
    throw new WrongUsage('--from, --until and --rest go with --subject.');
  }
  if (entry !== undefined) return { sequence: sequenceOf('--entry', entry) };
  if (id !== undefined) return { id };
  if (requestId !== undefined) return { requestId };
  const instant = (text: string | undefined) => (text === undefined ? null : checkInstant(text));
  return { subject: subject ?? '', from: instant(from), until: instant(until) };
}

/** Whether an entry is selected, where it is read from an archive. */
function isSelected(selection: EntrySelection, { sequence, entry }: ExportedEntry): boolean {
  if ('sequence' in selection) return sequence === selection.sequence;
  if ('id' in selection) return entry['id'] === selection.id;
  if ('requestId' in selection) return entry['requestId'] === selection.requestId;
  const { subject, from, until } = selection;
  const { at } = entry;
  if (typeof at !== 'string') return false;
  return entry['subject'] === subject && (from === null || at >= from) && (until === null || at < until);
}

async function* proofsOf(
  sql: Sql,
  signed: SignedTree,
  selection: EntrySelection,
  archives: readonly string[],
): AsyncGenerator<EntryProof> {
  let after = -1;
  for await (const entry of readExportedEntries(archives)) {
    if (entry.chain !== signed.tree.chain) throw new CommandFailed(`${archives[0]} is not an archive of this log.`);
    if (!isSelected(selection, entry)) continue;
    const proof = await proveEntry(signed.tree, signed.checkpoint, entry);
    after = proof.index;
    yield proof;
  }
  const stored = await selectEntries(sql, signed.tree.chain, selection, signed.tree.size);
  // Entries that are archived but not yet removed from the database are in both.
  yield* proveStored(
    sql,
    signed,
    stored.filter((sequence) => Number(sequence) - 1 > after),
  );
}

/** Writes the digests of all entries of the period, shown or not. @returns how many there are, and where */
async function writeRest(
  sql: Sql,
  { tree, checkpoint }: SignedTree,
  selection: EntrySelection,
  file: string,
): Promise<Period> {
  const period = 'subject' in selection ? await provePeriod(sql, tree, selection) : null;
  if (period === null) throw new CommandFailed('The database has no entry of this period.');
  const text = writePeriodProof(tree.chain, checkpoint.note, period);
  await writeWhole(file, Readable.from([text]));
  const { first, digests } = period;
  return { first: first + 1, last: first + digests.length, count: digests.length };
}

interface Period {
  /** Sequences. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

async function nothingFound(sql: Sql, chain: ChainName, selection: EntrySelection): Promise<CommandFailed> {
  const [first] =
    chain === DECISIONS
      ? await sql<{ sequence: bigint }[]>`select sequence from authorization_decisions order by sequence limit 1`
      : [];
  if (first === undefined || first.sequence === 1n)
    return new CommandFailed('No such entry was found. No file was written.');
  if ('sequence' in selection && selection.sequence >= first.sequence) {
    return new CommandFailed('No such entry was found. No file was written.');
  }
  return new CommandFailed(
    `No such entry was found in the database. Entries before ${first.sequence} are archived: name their files with --archive. No file was written.`,
  );
}

/**
 * `journal prove (--entry N | --id ID | --request-id R | --subject S [--from D] [--until D]) --out FILE`: the entries, each with
 * its way to the root of the tree, and a checkpoint of it. With the file and a key alone, `journal check` verifies it.
 */
export async function runJournalProve(context: Context, options: JournalProveOptions): Promise<void> {
  const selection = selectionOf(options);
  const chain = chosenLog(options) ?? DECISIONS;
  const { out, rest, archive: archives = [] } = options;
  const [count, size, period] = await withDatabase(context.environment, async (sql) => {
    const signed = await openSignedTree(context, sql, chain);
    let proofs = 0;
    // The file of one proof, cut where further ones go.
    async function* pieces(): AsyncGenerator<string> {
      const [head = '', end = ''] = writeInclusionProof(chain, signed.checkpoint.note, []).split(/(?<="proofs":\[)/);
      yield head;
      for await (const proof of proofsOf(sql, signed, selection, archives)) {
        yield `${proofs > 0 ? ',' : ''}${JSON.stringify(proof)}`;
        proofs += 1;
      }
      if (proofs === 0) throw await nothingFound(sql, chain, selection);
      yield end;
    }
    const fail = (error: unknown): never => {
      throw treeFault(error);
    };
    await writeWhole(out, pieces()).catch(fail);
    const whole = rest === undefined ? null : await writeRest(sql, signed, selection, rest).catch(fail);
    return [proofs, signed.tree.size, whole] as const;
  });
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  const others =
    period === null
      ? []
      : [
          `Wrote ${rest}: the digests of entries ${period.first} to ${period.last}, ${period.count - count} of which ${out} does not show.`,
        ];
  await print(context, { chain, size, entries: count, file: out, period }, [
    `Wrote ${out}: ${entries} of ${chain}, proven to be in the log of ${size}.`,
    ...others,
  ]);
}
