import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { readText } from '../files/reading.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import * as s from '../schema/index.ts';

/** How long an approval counts: in this session, or in every session of this project. */
export type ApprovalScope = 'session' | 'project';

/** Calls that a person approved, by their keys (`approvalKey`). */
export interface Approvals {
  /** Read again each time: what another session forgets must not count here. */
  known(): Promise<ReadonlySet<string>>;
  /** @throws Error where the file cannot be written. */
  add(keys: readonly string[], scope: ApprovalScope): Promise<void>;
  /** Approvals stored for the project, in the order of their creation. */
  kept(): Promise<readonly KeptApproval[]>;
  /** Removes all of them, including those of the session. Resolves with the number stored for the project. */
  forget(): Promise<number>;
}
export interface KeptApproval {
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
}

const fileShape = s.object({
  version: s.literal(1),
  project: s.string(),
  approvals: s.array(s.object({ key: s.string(), at: s.string() })),
});

export interface ApprovalOptions {
  readonly home: string;
  /** Root of the project: absolute, links resolved. */
  readonly project: string;
  readonly now: () => Date;
}

/** Approvals of a project are in `~/.gateway/approvals`, one file a project. A file that cannot be read approves nothing. */
export function createApprovals({ home, project, now }: ApprovalOptions): Approvals {
  const folder = join(home, '.gateway', 'approvals');
  const file = join(folder, `${createHash('sha256').update(project).digest('hex').slice(0, 16)}.json`);
  const ofSession = new Set<string>();

  async function kept(): Promise<readonly KeptApproval[]> {
    const read = await readText(file);
    if (read.state !== 'read') return [];
    try {
      const found = fileShape.valueOf(JSON.parse(read.text));
      return found?.project === project ? found.approvals : [];
    } catch {
      return [];
    }
  }

  async function replace(change: (before: readonly KeptApproval[]) => readonly KeptApproval[]): Promise<number> {
    await ownFolder(folder);
    return withLock(`${file}.lock`, async () => {
      const before = await kept();
      await replaceFile(file, `${JSON.stringify({ version: 1, project, approvals: change(before) }, null, 2)}\n`);
      return before.length;
    });
  }

  return {
    async known() {
      return new Set([...ofSession, ...(await kept()).map(({ key }) => key)]);
    },
    async add(keys, scope) {
      if (scope === 'session') {
        for (const key of keys) ofSession.add(key);
        return;
      }
      const at = now().toISOString();
      await replace((before) => [
        ...before,
        ...keys.filter((key) => before.every((one) => one.key !== key)).map((key) => ({ key, at })),
      ]);
    },
    kept,
    async forget() {
      ofSession.clear();
      return (await kept()).length === 0 ? 0 : replace(() => []);
    },
  };
}

/** Approvals that end with the session: for tests, and where there is no home. */
export function sessionApprovals(): Approvals {
  const keys = new Set<string>();
  return {
    known: async () => keys,
    add: async (more) => {
      for (const key of more) keys.add(key);
    },
    kept: async () => [],
    forget: async () => {
      keys.clear();
      return 0;
    },
  };
}

/** A key in words: `Bash git status`, `Write src/a.ts`. */
export function approvalText(key: string, project: string): string {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return key;
  }
  if (!Array.isArray(parts)) return key;
  const [tool, second, third, exact] = parts as readonly unknown[];
  if (tool === 'rule') return String(second);
  if (tool === 'Bash') {
    const words = Array.isArray(second) ? second.map((word) => quote(String(word))).join(' ') : String(second);
    const files = (Array.isArray(third) ? third : []).map((one) => {
      const [effect, path] = one as readonly [unknown, unknown];
      return ` ${effect === 'write' ? '>' : '<'} ${within(String(path), project)}`;
    });
    return `Bash  ${words}${files.join('')}`;
  }
  if (tool === 'Bash line') return `Bash  ${String(second)}`;
  return `${String(tool)}  ${within(String(third), project)}${typeof exact === 'string' ? ` ${exact}` : ''}`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function within(path: string, project: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}
