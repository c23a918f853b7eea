import { csvField, rowsOfCsv } from '@gateway/contract/csv';
import { EMAIL_ADDRESS } from '@gateway/contract/email-address';
import { roleLabel } from '@gateway/contract/labels';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, request } from '../../api/request.ts';
import type { Choice } from '../../ui/numbers.ts';

/** Accounts of one request: few enough that Stop is quick. */
const BATCH = 100;

/** What the server answers for one line. */
export interface ImportResult {
  readonly username: string;
  readonly outcome: 'created' | 'exists' | 'refused';
  readonly key?: string;
  readonly error?: string;
}

/** A file that grows on the disk of the person, where the browser can write one. */
interface KeyFile {
  readonly append: (text: string) => Promise<void>;
}

interface Writable {
  readonly write: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface FileHandle {
  readonly createWritable: (options: {
    keepExistingData: boolean;
  }) => Promise<Writable & { readonly seek: (at: number) => Promise<void> }>;
  readonly getFile: () => Promise<File>;
}

type SavePicker = (options: object) => Promise<FileHandle>;

export const canSaveKeys = (): boolean => 'showSaveFilePicker' in globalThis;

/** Asks for the file that takes the keys. Each batch is on the disk before the next one is sent. */
async function chooseKeyFile(): Promise<KeyFile> {
  const pick = (globalThis as unknown as { readonly showSaveFilePicker: SavePicker }).showSaveFilePicker;
  const handle = await pick({ suggestedName: 'keys.csv', types: [{ accept: { 'text/csv': ['.csv'] } }] });
  return {
    async append(text) {
      const { size } = await handle.getFile();
      const writable = await handle.createWritable({ keepExistingData: true });
      await writable.seek(size);
      await writable.write(text);
      await writable.close();
    },
  };
}

export const HEADER = 'username,key\n';

/** The lines of the file of keys. */
export const keyLines = (results: readonly ImportResult[]): string =>
  results.flatMap(({ username, key }) => (key === undefined ? [] : [`${csvField(username)},${key}\n`])).join('');

interface ImportOptions {
  readonly reissue: boolean;
  readonly toFile: boolean;
}

/** A UUID; `crypto.randomUUID` is missing on pages that are served in the clear. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Sends the lines of a file in batches, until all are sent, one fails, or the person stops. */
export function useImport() {
  const queries = useQueryClient();
  const [results, setResults] = useState<readonly ImportResult[]>([]);
  const [state, setState] = useState<'ready' | 'running' | 'ended'>('ready');
  const [error, setError] = useState<ApiError | null>(null);
  const [isSaved, setSaved] = useState(false);
  // One for all batches, so that their keys can be revoked together.
  const [id] = useState(newId);
  const stopped = useRef(false);
  const isBusy = useRef(false);
  const isGuarded =
    state === 'running' || (state === 'ended' && !isSaved && results.some(({ key }) => key !== undefined));
  useEffect(() => {
    if (!isGuarded) return undefined;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, [isGuarded]);

  function run(users: readonly object[], options: ImportOptions): void {
    send(users, options).catch((caught: unknown) => setError(new ApiError(0, String(caught))));
  }

  async function send(users: readonly object[], options: ImportOptions): Promise<void> {
    // A button pressed twice sends the lines once.
    if (isBusy.current) return;
    isBusy.current = true;
    let file: KeyFile | null = null;
    if (options.toFile) {
      try {
        file = await chooseKeyFile();
      } catch {
        isBusy.current = false;
        return; // nobody chose a file
      }
    }
    stopped.current = false;
    setState('running');
    setError(null);
    try {
      if (file !== null) await file.append(HEADER);
      for (let at = 0; at < users.length && !stopped.current; at += BATCH) {
        const some = users.slice(at, at + BATCH);
        const body = { users: some, import: id, ...(options.reissue ? { reissue: true } : {}) };
        const answer = await request<{ results: readonly ImportResult[] }>('POST', '/api/users/import', body);
        // Kept before it is written: keys are shown once, and the disk may be full.
        setResults((before) => [...before, ...answer.results]);
        if (file !== null) await file.append(keyLines(answer.results));
      }
      if (file !== null) setSaved(true);
    } catch (caught) {
      setError(
        caught instanceof ApiError ? caught : new ApiError(0, `The file of keys cannot be written: ${String(caught)}`),
      );
    }
    setState('ended');
    await queries.invalidateQueries();
  }

  return {
    run,
    id,
    results,
    error,
    state,
    isSaved,
    isGuarded,
    markSaved: () => setSaved(true),
    stop: () => {
      stopped.current = true;
    },
  };
}

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
interface ImportLine {
  readonly line: number;
  readonly username: string;
  /** As people read it. */
  readonly shown: readonly string[];
  readonly body: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

interface ImportPreview {
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
    if (email !== '' && !EMAIL_ADDRESS.test(email)) faults.push(`${email} is not an e-mail address`);
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
