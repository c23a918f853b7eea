import { rowsOfCsv } from '@gateway/contract/csv';
import { roleLabel } from '@gateway/contract/labels';
import type { Choice } from '../../ui/many.ts';

/** Accepted column names of the first line, by member of the API. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  username: ['username', 'user', 'name', 'subject'],
  plan: ['plan'],
  role: ['role'],
  displayName: ['displayname', 'fullname'],
  email: ['email', 'mail'],
};
const ROLES: Readonly<Record<string, readonly string[]>> = {
  'utilisateur-standard': ['user', 'standarduser'],
  'administrateur-d-instance': ['administrator', 'instanceadministrator'],
  auditeur: ['auditor'],
};

/** One line of the file: the account it would create, or its faults. */
export interface ImportLine {
  readonly line: number;
  readonly username: string;
  /** As people read it. */
  readonly shown: readonly string[];
  readonly body: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

export interface ImportPreview {
  /** The fault of the whole file; null if each line is checked. */
  readonly fault: string | null;
  readonly lines: readonly ImportLine[];
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
const keyOf = (of: Readonly<Record<string, readonly string[]>>, text: string): string | undefined =>
  Object.hasOwn(of, text) ? text : Object.keys(of).find((key) => of[key]?.includes(plain(text)));

/** What importing a CSV text would do, line by line. @param known the usernames there are */
export function previewOfImport(
  text: string,
  {
    known,
    plans,
    reissue = false,
  }: {
    readonly known: ReadonlySet<string>;
    readonly plans: readonly (Choice & { slug: string })[];
    /** Whether those that have an account get a new key. */
    readonly reissue?: boolean;
  },
): ImportPreview {
  const [head, ...rows] = rowsOfCsv(text);
  if (head === undefined) return { fault: 'The file is empty.', lines: [] };
  const columns = head.fields.map((title) => keyOf(COLUMNS, title.trim()));
  const unknown = head.fields.filter((_, at) => columns[at] === undefined);
  if (!columns.includes('username') || unknown.length > 0) {
    const found = unknown.length > 0 ? ` Not known: ${unknown.join(', ')}.` : '';
    return {
      fault: `The first line must name the columns: username, and of plan, role, display name and email those there are.${found}`,
      lines: [],
    };
  }
  const seen = new Map<string, number>();
  const lines = rows.map(({ line, fields }): ImportLine => {
    const value = (column: string): string => fields[columns.indexOf(column)] ?? '';
    const faults: string[] = [];
    if (fields.length > columns.length)
      faults.push(`has ${fields.length} fields; the first line has ${columns.length}`);
    const username = value('username');
    const first = seen.get(username);
    if (username === '') faults.push('has no username');
    else if (known.has(username) && !reissue) faults.push(`${username} has an account already`);
    else if (first !== undefined) faults.push(`${username} is on line ${first} too`);
    else seen.set(username, line);
    const wanted = value('plan');
    const plan = plans.find(({ slug, label }) => wanted !== '' && [slug, label].includes(wanted));
    if (wanted !== '' && plan === undefined) faults.push(`there is no plan ${wanted}`);
    const role = value('role') === '' ? undefined : keyOf(ROLES, value('role'));
    if (value('role') !== '' && role === undefined)
      faults.push(`there is no role ${value('role')}: User, Administrator or Auditor`);
    const email = value('email');
    if (email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) faults.push(`${email} is not an e-mail address`);
    const members = { username, plan: plan?.value, role, displayName: value('displayName'), email };
    const body = Object.fromEntries(
      Object.entries(members).filter(([, one]) => one !== undefined && one !== ''),
    ) as Record<string, string>;
    const shown = [
      plan?.label ?? 'no plan',
      role === undefined ? 'no role' : roleLabel(role),
      value('displayName'),
      email,
    ].filter((one) => one !== '');
    return { line, username, shown, body, faults };
  });
  return { fault: lines.length === 0 ? 'The file has no line below the first.' : null, lines };
}
