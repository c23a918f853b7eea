import { ROLES, type Role, refusal, roleNamed, sentenceOf } from '@gateway/contract';
import { rowsOfCsv } from '@gateway/contract/csv';
import { roleLabel } from '@gateway/contract/labels';
import type { Act } from '@gateway/database/audit-log/act';
import { isKnownName } from '@gateway/domain/account/console-subjects';
import { type Grant, grantRole, grantRoles } from '@gateway/domain/role/acts';
import { checkProject, checkRole, checkText } from '../context/check.ts';
import { CommandFailed, type Context, print, WrongUsage, WrongWords } from '../context/context.ts';
import { readText } from '../context/find.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

const COLUMNS = ['subject', 'role', 'project'];

interface Line {
  readonly line: number;
  readonly subject: string;
  readonly read: { readonly grant: Grant } | { readonly error: string };
}

interface Result {
  readonly subject: string;
  readonly role: string;
  readonly project: string | null;
  readonly outcome: 'granted' | 'held' | 'refused';
  readonly error?: string;
}

/** Rolls the transaction back, with what would have been done. */
class Refused extends Error {
  readonly results: readonly Result[];
  constructor(results: readonly Result[]) {
    super('a line was refused');
    this.results = results;
  }
}

/** `grant --file FILE.csv AUTHOR`: the roles of a file (columns subject, role, project), all of them or, without `--keep-going`, none. */
async function runGrantFile(context: Context, file: string, author: string, keepGoing: boolean): Promise<void> {
  const lines = linesOf(readText(file), file);
  let refusedAll = false;
  let results: readonly Result[];
  try {
    results = await withAct(context, author, async (act) => {
      const done = await grantLines(act, lines);
      if (!keepGoing && done.some(({ outcome }) => outcome === 'refused')) throw new Refused(done);
      return done;
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusedAll = true;
    results = error.results.filter(({ outcome }) => outcome === 'refused');
  }
  const count = (outcome: Result['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  const sentences = refused.map(({ subject, error }) => `${subject} was refused: ${error}`);
  const summary = refusedAll
    ? `Nothing was granted. Correct the lines, or add --keep-going.`
    : `${count('granted')} granted, ${count('held')} held already, ${count('refused')} refused.`;
  await print(context, { results }, [...sentences, summary]);
  if (refused.length > 0) throw new CommandFailed(`${refused.length} of ${lines.length} lines were refused.`);
}

async function grantLines(act: Act, lines: readonly Line[]): Promise<readonly Result[]> {
  const grants = lines.flatMap(({ read }) => ('grant' in read ? [read.grant] : []));
  const outcomes = await grantRoles(act, grants);
  let at = 0;
  return lines.map(({ line, subject, read }): Result => {
    if ('error' in read)
      return { subject, role: '', project: null, outcome: 'refused', error: `line ${line}: ${read.error}` };
    const outcome = outcomes[at++] ?? 'excluded';
    if (outcome !== 'excluded') return { ...read.grant, outcome };
    const error = `line ${line}: ${roleLabel(read.grant.role)}: ${sentenceOf(refusal('roles-exclude'))}`;
    return { ...read.grant, outcome: 'refused', error };
  });
}

/** The lines of the file; the first names the columns. */
function linesOf(text: string, file: string): readonly Line[] {
  const [head, ...rows] = rowsOfCsv(text);
  const names = head?.fields.map((name) => name.toLowerCase()) ?? [];
  const unknown = names.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined || !names.includes('subject') || !names.includes('role')) {
    throw new WrongUsage(`${file}: the first line must name the columns subject,role,project.`);
  }
  if (rows.length === 0) throw new CommandFailed(`${file} contains no line below its header.`);
  return rows.map(({ line, fields }) => {
    const [subject = '', role = '', project = ''] = COLUMNS.map((column) => fields[names.indexOf(column)] ?? '');
    return { line, subject, read: readGrant(subject, role, project) };
  });
}

function readGrant(subject: string, roleName: string, project: string): Line['read'] {
  const role: Role | null = roleNamed(roleName);
  if (role === null) return { error: `there is no role "${roleName}"` };
  if (project === '' && ROLES[role].projectScope === 'required') return { error: 'the project is missing' };
  try {
    const scope = checkProject(role, project === '' ? undefined : project);
    return { grant: { subject: checkText(subject, 'subject'), role, project: scope } };
  } catch (error) {
    if (error instanceof WrongUsage) return { error: error.message };
    throw error;
  }
}

interface GrantOptions {
  readonly project?: string;
  readonly file?: string;
  readonly keepGoing?: boolean;
}

/** `grant SUBJECT ROLE AUTHOR [--project P]` (client-28), or `grant --file FILE AUTHOR`. */
export async function runGrant(context: Context, words: readonly string[], options: GrantOptions): Promise<void> {
  const { file, keepGoing = false, project } = options;
  if (file !== undefined) {
    const [author, ...more] = words;
    if (author === undefined || more.length > 0 || project !== undefined)
      throw new WrongWords('grant --file takes the author alone: grant --file FILE.csv AUTHOR');
    return runGrantFile(context, file, author, keepGoing);
  }
  const [subject, roleName, author] = words;
  if (subject === undefined) throw new WrongWords("missing required argument 'subject'");
  if (roleName === undefined) throw new WrongWords("missing required argument 'role'");
  if (author === undefined) throw new WrongWords("missing required argument 'author'");
  if (keepGoing) throw new WrongUsage('--keep-going goes with --file.');
  return grantOne(context, subject, roleName, author, options);
}

async function grantOne(
  context: Context,
  subject: string,
  roleName: string,
  author: string,
  options: GrantOptions,
): Promise<void> {
  const role = checkRole(roleName);
  const grant = { subject: checkText(subject, 'subject'), role, project: checkProject(role, options.project) };
  const granted = await withAct(
    context,
    author,
    async (act) => (await grantRole(act, grant)) !== undefined,
    ({ constraint }) =>
      constraint === 'administration_excludes_audit'
        ? `${subject} was not granted ${roleLabel(role)}. ${sentenceOf(refusal('roles-exclude'))}`
        : undefined,
  );
  const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
  const line = granted
    ? `${subject} now has the role ${roleLabel(role)}${scope}.`
    : `${subject} already has the role ${roleLabel(role)}${scope}; nothing changed.`;
  const known = await withDatabase(context.environment, (sql) => isKnownName(sql, subject));
  // A person of the identity provider may be granted a role before the first call.
  const note = known ? [] : [`Nobody was seen under the name ${subject} yet. Check its spelling.`];
  await print(context, { ...grant, author, granted, known }, [line, ...note]);
}
