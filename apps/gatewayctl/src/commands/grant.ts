import { refusal, sentenceOf } from '@gateway/contract';
import { namedRole } from '@gateway/contract/labels';
import { grantRole } from '@gateway/database/administration';
import { isKnownName } from '@gateway/database/console';
import { type Context, print } from '../context/context.ts';
import { WrongUsage, WrongWords } from '../context/fault.ts';
import { checkProject, checkRole, checkText } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { runGrantFile } from './grant-file.ts';

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
        ? `${subject} was not granted ${namedRole(role)}. ${sentenceOf(refusal('roles-exclude'))}`
        : undefined,
  );
  const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
  const line = granted
    ? `${subject} now has the role ${namedRole(role)}${scope}.`
    : `${subject} already has the role ${namedRole(role)}${scope}; nothing changed.`;
  const known = await withDatabase(context.environment, (sql) => isKnownName(sql, subject));
  // A person of the identity provider may be granted a role before the first call.
  const note = known ? [] : [`Nobody was seen under the name ${subject} yet. Check its spelling.`];
  await print(context, { ...grant, author, granted, known }, [line, ...note]);
}
