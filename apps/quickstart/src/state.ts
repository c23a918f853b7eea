import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newAccountKey } from '@gateway/access';
import { isWeakAccountKey } from '@gateway/contract';
import * as z from 'zod';
import { StartFault } from './environment.ts';

/** SQLite's code for a file that another connection holds. */
const BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY;
}

/**
 * Locks a folder for this process: two starts must not use the same database. SQLite holds the lock in the operating system, so
 * it ends with the process, however that ends. The version number in the file names the holder.
 * @returns ends the lock
 * @throws StartFault if another process holds it
 */
function lock(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // Others can read the number only once it is written; who comes between the two transactions has the lock.
    file.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const holder = isBusy(error) ? holderOf(file) : '';
    file.close();
    if (!isBusy(error)) throw error;
    throw new StartFault(`npm start already runs on ${folder}${holder}. End it, or choose another folder with --data.`);
  }
  return () => file.close();
}

/** The process that the lock names. Empty in the moment in which it is written. */
function holderOf(file: DatabaseSync): string {
  try {
    const pid = file.prepare('PRAGMA user_version').get()?.['user_version'];
    return pid === undefined || pid === 0 ? '' : ` (process ${String(pid)})`;
  } catch (error) {
    if (isBusy(error)) return '';
    throw error;
  }
}

/** Its owner's, and others may pass through. */
const PASSABLE = 0o711;

/** A password that a person types: 72 random bits. */
function shortSecret(): string {
  return randomBytes(9).toString('base64url');
}

/** The state that one start leaves for the next one. It is secret, so only the owner can read the file. */
const KEPT = z.object({
  gatewayRolePassword: z.string(),
  consoleRolePassword: z.string(),
  /** What the first start made the account `admin` from. */
  adminKey: z.string(),
  consolePassword: z.string(),
  /** Of the demo identity provider's administrator. */
  directoryPassword: z.string(),
  /** Of its auditor. Folders of earlier starts lack it. */
  auditorPassword: z.string().default(shortSecret),
  /** Key of the account `demo`, once it exists. */
  demoKey: z.string().nullable(),
  enginePort: z.int().nullable(),
  directoryPort: z.int().nullable(),
});
export type Kept = z.infer<typeof KEPT>;

export interface StateDirectory {
  readonly path: string;
  /** Goes when everything ends. */
  readonly temporary: boolean;
  readonly kept: Kept;
  /** Folder inside, made with mode 0700 where absent. */
  folder(name: string): string;
  keep(changes: Partial<Kept>): void;
  /** Lets another start use it. */
  release(): void;
}

/** A password: 192 random bits. */
function secret(): string {
  return randomBytes(24).toString('hex');
}

/** A key that the gateway makes the account `admin` from. Practically always the first one is good, and another is made where not. */
function accountKey(): string {
  const { key } = newAccountKey();
  return isWeakAccountKey(key) ? accountKey() : key;
}

/** @param adminKey from `--env`; the gateway itself reports an invalid one */
function fresh(adminKey: string): Kept {
  return {
    gatewayRolePassword: secret(),
    consoleRolePassword: secret(),
    adminKey: isWeakAccountKey(adminKey) ? accountKey() : adminKey,
    consolePassword: shortSecret(),
    directoryPassword: shortSecret(),
    auditorPassword: shortSecret(),
    demoKey: null,
    enginePort: null,
    directoryPort: null,
  };
}

function read(file: string): Kept | null {
  if (!existsSync(file)) return null;
  try {
    return KEPT.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartFault(
      `${file} is damaged. Remove its folder to begin again (the data in it is lost), or restore it.`,
    );
  }
}

/** Makes the folder where it is not there. As root, PostgreSQL runs as another user and passes through; each thing inside is closed by its own mode. */
function make(path: string, temporary: boolean): void {
  const made = mkdirSync(path, { recursive: true }) !== undefined || temporary;
  if (made) chmodSync(path, PASSABLE);
  // An existing folder keeps its file mode.
  else if (process.getuid?.() === 0) chmodSync(path, (statSync(path).mode & 0o7777) | PASSABLE);
}

/**
 * Opens the folder with all data of one local stack. Null: a temporary one.
 * @param adminKey for the account `admin`; an existing folder has its own
 * @throws StartFault if the folder is not usable: another start uses it, it is not writable, the disk is full
 */
export function openState(asked: string | null, adminKey = ''): StateDirectory {
  try {
    return open(asked ?? mkdtempSync(join(tmpdir(), 'gateway-')), asked === null, adminKey);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    const folder = asked ?? tmpdir();
    throw new StartFault(`The folder ${folder} cannot be used for the data: ${(error as Error).message}.`);
  }
}

function open(path: string, temporary: boolean, adminKey: string): StateDirectory {
  make(path, temporary);
  const release = lock(path);
  const file = join(path, 'quickstart.json');
  const write = (kept: Kept): void => {
    writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  let current: Kept;
  try {
    current = read(file) ?? fresh(adminKey);
    write(current);
  } catch (error) {
    release();
    throw error;
  }
  return {
    path,
    temporary,
    get kept() {
      return current;
    },
    folder: (name) => {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    keep: (changes) => {
      current = { ...current, ...changes };
      write(current);
    },
    release,
  };
}
