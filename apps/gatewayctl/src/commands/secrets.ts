import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate as soon } from 'node:timers/promises';
import { errorMessage } from '@gateway/contract/error-code';
import { allowanceOf, createScanner, decodeText, type Finding } from '@gateway/secrets';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { printList, table } from '../context/list.ts';

interface Options {
  readonly entropy?: boolean;
  readonly showDigests?: boolean;
}

interface Row
  extends Pick<Finding, 'rule' | 'kind' | 'confidence' | 'pointer' | 'start' | 'end' | 'length' | 'occurrences'> {
  readonly file: string;
  readonly line: number;
  /** The entry for a policy's `allow` list that permits this value; only on request. */
  readonly allow?: string;
}

/**
 * `secrets scan FILE…`: what detection would find, by position and kind; never the value. Exits with 1 when it finds something.
 */
export async function runSecretsScan(context: Context, files: readonly string[], options: Options): Promise<void> {
  const scanner = createScanner({ key: randomBytes(32), entropy: options.entropy !== false });
  const rows: Row[] = [];
  for (const file of files) {
    const body = await read(file);
    const type = file.endsWith('.json') ? 'application/json' : 'text/plain';
    const { findings } = await scanner.scanBodyInSlices(body, type, () => soon());
    const lines = linesOf(body, findings);
    for (const finding of findings) {
      rows.push(rowOf(file, lines.get(finding) ?? 1, body, finding, options.showDigests === true));
    }
  }
  const lines =
    rows.length === 0
      ? [`Nothing was found in ${files.length} ${files.length === 1 ? 'file' : 'files'}.`]
      : formatRows(rows, context.terminal.columns);
  await print(context, rows, lines);
  const count = rows.reduce((sum, { occurrences }) => sum + occurrences, 0);
  if (count > 0) throw new CommandFailed(`${count} ${count === 1 ? 'secret was' : 'secrets were'} found.`);
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${errorMessage(error)}`);
  }
}

/** The line in which each finding begins. One pass over the text, for any number of findings. */
function linesOf(body: Buffer, findings: readonly Finding[]): ReadonlyMap<Finding, number> {
  const lines = new Map<Finding, number>();
  let line = 1;
  let end = body.indexOf(0x0a);
  for (const finding of findings.toSorted((one, other) => one.start - other.start)) {
    for (; end !== -1 && end < finding.start; end = body.indexOf(0x0a, end + 1)) line += 1;
    lines.set(finding, line);
  }
  return lines;
}

function rowOf(file: string, line: number, body: Buffer, finding: Finding, withDigest: boolean): Row {
  const { rule, kind, confidence, pointer, start, end, length, occurrences } = finding;
  const row = { file, line, rule, kind, confidence, pointer, start, end, length, occurrences };
  return withDigest ? { ...row, allow: allowanceOf(decodeText(body.subarray(start, end))) } : row;
}

function formatRows(rows: readonly Row[], columns: number | null): readonly string[] {
  const positionOf = (row: Row): string => `${row.file}:${row.line}${row.pointer === null ? '' : ` ${row.pointer}`}`;
  return table(
    ['PLACE', 'KIND', 'RULE', 'CONFIDENCE', 'LENGTH', ...(rows[0]?.allow === undefined ? [] : ['ALLOW'])],
    rows.map((row) => [positionOf(row), row.kind, row.rule, row.confidence, String(row.length), row.allow ?? '']),
    // A truncated digest cannot be put on an allow list.
    rows[0]?.allow === undefined ? columns : null,
  );
}

/** `secrets rules`: every rule of secret detection, with the document its form comes from. */
export async function runSecretsRules(context: Context, options: { readonly limit?: string }): Promise<void> {
  const { rules } = createScanner({ key: new Uint8Array(0) });
  const listing = {
    header: ['RULE', 'KIND', 'CONFIDENCE', 'FINDS', 'SOURCE'],
    values: rules.map(({ id, kind, confidence, title, source }) => ({ id, kind, confidence, title, source })),
    row: (rule: (typeof rules)[number]) => [rule.id, rule.kind, rule.confidence, rule.title, rule.source],
    none: 'There is no rule.',
  };
  await printList(context, listing, options.limit);
}
