import { legible } from '@gateway/contract/legible';
import {
  type CheckedPeriod,
  type CheckedProof,
  checkPeriodFile,
  checkProofFile,
  type JsonObject,
  type NoteKey,
  ProofFault,
  partsOfOrigin,
  toNoteKey,
} from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { readText } from '../context/find.ts';
import { chosenLog, type LogOption } from '../journal/logs.ts';
import { keysIn, readNoteKeysGiven } from '../journal/trust.ts';

export interface JournalCheckOptions extends LogOption {
  /** Keys in note form, or files with such keys. */
  readonly key?: readonly string[];
  /** Files with keys in PEM, as `journal keys` prints them. */
  readonly publicKey?: readonly string[];
  /** A file of `journal prove --rest`. */
  readonly rest?: string;
}

/** The name of the log that a file says it is of: a key in PEM has no name of its own. */
function nameIn(text: string): string {
  const [, origin = ''] = /"(?:checkpoint|new)"\s*:\s*"([^"\\]*)\\n/.exec(text) ?? [];
  return partsOfOrigin(origin).name;
}

const member = (entry: JsonObject, name: string): string => {
  const value = entry[name];
  return typeof value === 'string' && value !== '' ? legible(value) : '-';
};

/** One entry on one line: when, who, what, with which outcome. */
function lineOf(entry: JsonObject, size: number): string {
  const what =
    'permission' in entry
      ? [member(entry, 'subject'), member(entry, 'permission'), member(entry, 'resource'), member(entry, 'outcome')]
      : [member(entry, 'author'), member(entry, 'action'), member(entry, 'target')];
  const words = [member(entry, 'at'), member(entry, 'id'), ...what].join(' ');
  return `entry ${member(entry, 'sequence')}: in the log of ${size}. ${words}`;
}

function linesOf(proof: CheckedProof): readonly string[] {
  const { checkpoint } = proof;
  if (proof.kind === 'inclusion') return proof.entries.map((entry) => lineOf(entry, checkpoint.size));
  return [
    `${legible(checkpoint.origin)}: the log of ${checkpoint.size} entries continues the one of ${proof.old.size}.`,
  ];
}

/**
 * `journal check FILE --key NOTE-KEY…`: verifies a file of `journal prove` or `journal consistency` with nothing but the keys:
 * neither the database nor the network is used.
 */
export async function runJournalCheck(
  context: Context,
  [file = '']: readonly string[],
  options: JournalCheckOptions,
): Promise<void> {
  const { key = [], publicKey = [] } = options;
  if (key.length + publicKey.length === 0) {
    throw new WrongUsage('journal check needs --key: a proof does not show which key to trust.');
  }
  const log = chosenLog(options);
  const text = readText(file);
  const named = [...(await keysIn(publicKey)).values()].map((one) => toNoteKey(nameIn(text), one.key));
  const keys = [...key.flatMap(readNoteKeysGiven), ...named];
  const proof = proving(file, () => checkProofFile(text, keys));
  const { origin, size } = proof.checkpoint;
  if (log !== null && partsOfOrigin(origin).chain !== log)
    throw new CommandFailed(`${file} is of another log: ${origin}.`);
  const period = options.rest === undefined ? null : periodOf(options.rest, proof, keys);
  const value = proof.kind === 'inclusion' ? { entries: proof.entries } : { oldSize: proof.old.size };
  await print(context, { ok: true, origin, size, ...value, ...(period && { period }) }, [
    ...linesOf(proof),
    ...(period === null ? [] : [lineOfPeriod(period)]),
  ]);
}

function periodOf(file: string, proof: CheckedProof, keys: readonly NoteKey[]): CheckedPeriod {
  if (proof.kind !== 'inclusion') throw new WrongUsage('--rest goes with a file of journal prove.');
  return proving(file, () => checkPeriodFile(readText(file), keys, proof));
}

const lineOfPeriod = ({ from, to, others }: CheckedPeriod): string =>
  `The period is entries ${from} to ${to}. ${others} of them are not shown; each has its place in the log. To see one, ask for it by its sequence.`;

/** A file that proves nothing is a failed check. */
function proving<Result>(file: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof ProofFault) throw new CommandFailed(`${file} proves nothing. ${error.message}`);
    throw error;
  }
}
