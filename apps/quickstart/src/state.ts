import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { StartFault } from './fault.ts';

/** What one start leaves for the next one. All of it is secret, so the file is readable by its owner alone. */
const KEPT = z.object({
  gatewayRolePassword: z.string(),
  consoleRolePassword: z.string(),
  adminKey: z.string(),
  consolePassword: z.string(),
  /** The person of the demo directory. */
  directoryPassword: z.string(),
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
  /** Says that a start uses the folder. */
  readonly lockFile: string;
  /** Lets another start use it. */
  release(): void;
}

/** A password or key part: 192 random bits. */
function secret(): string {
  return randomBytes(24).toString('hex');
}

/** 48 hexadecimal characters; practically always 10 distinct ones, and made again where not (decisions §3). */
function accountKey(): string {
  const digits = secret();
  return new Set(digits).size < 10 ? accountKey() : `gwk_${digits}`;
}

function fresh(): Kept {
  return {
    gatewayRolePassword: secret(),
    consoleRolePassword: secret(),
    adminKey: accountKey(),
    consolePassword: randomBytes(9).toString('base64url'),
    directoryPassword: randomBytes(9).toString('base64url'),
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
      `${file} is damaged. Remove its folder to begin anew (the data in it is lost), or restore it.`,
    );
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Two starts on the same data would take the database from one another. */
function lock(path: string, file: string): void {
  const take = (): void => writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
  try {
    take();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(file, 'utf8'));
    if (holder > 0 && holder !== process.pid && runs(holder)) {
      throw new StartFault(
        `npm start already runs on ${path} (process ${holder}). End it, or choose another folder with --data.`,
      );
    }
    rmSync(file, { force: true });
    take();
  }
}

/** Opens the folder that holds everything of one local stack. Null: a temporary one. */
export function openState(asked: string | null): StateDirectory {
  const path = asked ?? mkdtempSync(join(tmpdir(), 'gateway-'));
  try {
    mkdirSync(path, { recursive: true });
    // As root, PostgreSQL runs as another user and passes through; each thing inside is closed by its own mode.
    chmodSync(path, 0o711);
  } catch (error) {
    throw new StartFault(`The folder ${path} cannot be used for the data: ${(error as Error).message}.`);
  }
  const lockFile = join(path, 'running');
  lock(path, lockFile);
  const release = (): void => rmSync(lockFile, { force: true });
  const file = join(path, 'quickstart.json');
  const write = (kept: Kept): void => {
    writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  let current: Kept;
  try {
    current = read(file) ?? fresh();
    write(current);
  } catch (error) {
    release();
    throw error;
  }
  return {
    path,
    temporary: asked === null,
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
    lockFile,
    release,
  };
}
