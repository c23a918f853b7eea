import { relative } from 'node:path';
import type { Restored, Snapshots } from '../agent/types.ts';
import { createObjects, isSame, type Kept } from './objects.ts';
import { type Look, lookAtProject } from './project-files.ts';

const nothing = async (): Promise<void> => undefined;
const nothingToRestore = async (): Promise<null> => null;
/** Where nobody can undo, or does not want to: nothing is copied. */
export const NO_SNAPSHOTS: Snapshots = {
  begin: nothing,
  beforeWrite: nothing,
  beforeCommand: nothing,
  afterCommand: nothing,
  end: nothing,
  undo: nothingToRestore,
  redo: nothingToRestore,
};

interface Turn {
  readonly turn: number;
  /** By absolute path. */
  readonly files: ReadonlyMap<string, { readonly before: Kept; readonly after: Kept }>;
}

/**
 * Copies of files that turns change, including by commands, so that changes can be undone and redone while the session is open.
 * @param directory where the copies are kept
 * @param holdsSecret whether a content is not to be copied: its file is not restored
 */
export function createSnapshots(
  project: string,
  directory: string,
  holdsSecret?: (content: Uint8Array) => boolean,
): Snapshots {
  const objects = createObjects(directory, holdsSecret);
  const done: Turn[] = [];
  const undone: Turn[] = [];
  /** Copies of files from the latest scan, with the stamp that shows a change. */
  const copies = new Map<string, { readonly mark: string; readonly kept: Kept }>();
  let number = 0;
  let before = new Map<string, Kept>();
  let look: Look | null = null;
  /** Since the start of the session, after which old copies are removed once. */
  let hasCopied = false;
  let pruned = false;

  const remember = (path: string, kept: Kept): void => {
    if (!before.has(path)) before.set(path, kept);
  };

  return {
    async begin(turn) {
      number = turn;
      before = new Map();
      undone.length = 0;
    },
    async beforeWrite(path) {
      hasCopied = true;
      if (!before.has(path)) remember(path, await objects.keep(path));
    },
    async beforeCommand() {
      hasCopied = true;
      look = await lookAtProject(project);
      for (const [path, mark] of look) {
        if (copies.get(path)?.mark !== mark) copies.set(path, { mark, kept: await objects.keep(path) });
      }
    },
    async afterCommand() {
      if (look === null) return;
      const now = await lookAtProject(project);
      for (const [path, mark] of look) if (now.get(path) !== mark) remember(path, copies.get(path)?.kept ?? 'not kept');
      for (const path of now.keys()) if (!look.has(path)) remember(path, null);
      look = null;
    },
    async end() {
      const files = new Map<string, { readonly before: Kept; readonly after: Kept }>();
      for (const [path, kept] of before) {
        const after = await objects.keep(path);
        if (!isSame(kept, after)) files.set(path, { before: kept, after });
      }
      before = new Map();
      if (hasCopied && !pruned) {
        pruned = true;
        await objects.prune();
      }
      if (files.size === 0) return;
      done.push({ turn: number, files });
    },
    undo: (turn) => move(turn, done, undone, 'before', 'after'),
    redo: (turn) => move(turn, undone, done, 'after', 'before'),
  };

  async function move(
    number: number,
    from: Turn[],
    to: Turn[],
    wanted: 'before' | 'after',
    expected: 'before' | 'after',
  ): Promise<Restored | null> {
    const turn = from.at(-1);
    if (turn?.turn !== number) return null;
    from.pop();
    const conflicts: string[] = [];
    const untouched: [string, Kept][] = [];
    for (const [path, states] of turn.files) {
      if (isSame(await objects.keep(path), states[expected])) untouched.push([path, states[wanted]]);
      else conflicts.push(relative(project, path));
    }
    const files: string[] = [];
    // First what is removed: a file may be in the place of a folder, and a folder in the place of a file.
    for (const [path, kept] of untouched.toSorted(
      (one, other) => Number(one[1] !== null) - Number(other[1] !== null),
    )) {
      const restored = await objects.restore(path, kept).catch(() => false);
      (restored ? files : conflicts).push(relative(project, path));
    }
    to.push(turn);
    return { turn: turn.turn, files: files.toSorted(), conflicts: conflicts.toSorted() };
  }
}
