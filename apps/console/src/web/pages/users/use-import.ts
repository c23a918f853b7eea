import { csvField } from '@gateway/contract/csv';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, request } from '../../api/request.ts';

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
