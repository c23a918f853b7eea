import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSession } from '../agent/types/index.ts';
import { askGit, findProgram, withoutFilters } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';

/** A call that waits for somebody's approval. */
export interface PendingPermission {
  readonly requestId: string;
  readonly tool: string;
  readonly target: string;
  readonly arguments: string;
  readonly preview: unknown;
  readonly reason: string;
}

/** The messages of one served session: worked on in order, one at a time. */
export interface Conversation {
  readonly isProcessing: boolean;
  /** Messages that wait, without the one that is worked on. */
  readonly queueLength: number;
  readonly pending: PendingPermission | null;
  /** Queues a message, or answers the question that waits. @returns how many messages are before it. */
  send(message: string): number;
  /** Ends the running turn. Messages that wait stay; the next one that comes starts them again. */
  pause(): void;
  approve(requestId: string, approved: boolean): boolean;
  end(): void;
  /** Resolves after `idleMs` without a message and without work, or once `end` was called. */
  readonly ended: Promise<void>;
}

export function createConversation(session: AgentSession, idleMs: number): Conversation {
  const queue: string[] = [];
  const pending = new Map<string, PendingPermission>();
  let question: string | null = null;
  let processing = false;
  let paused = false;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const { promise: ended, resolve } = Promise.withResolvers<void>();

  session.subscribe((event) => {
    if (event.type === 'permission-requested') {
      const { id: requestId, tool, target, preview, reason } = event;
      pending.set(requestId, { requestId, tool, target: target.value, arguments: event.arguments, preview, reason });
    } else if (event.type === 'permission-decided') pending.delete(event.id);
    else if (event.type === 'question') question = event.id;
    else if (event.type === 'turn-ended') {
      pending.clear();
      question = null;
    }
  });

  function end(): void {
    over = true;
    clearTimeout(timer);
    session.interrupt();
    resolve();
  }

  function rest(): void {
    clearTimeout(timer);
    if (!over) timer = setTimeout(end, idleMs);
  }

  const next = (): string | undefined => (paused || over ? undefined : queue.shift());

  async function work(): Promise<void> {
    for (let message = next(); message !== undefined; message = next()) {
      await session.submit(message).catch(() => undefined); // what went wrong is in the events of the turn
    }
    processing = false;
    rest();
  }

  rest();
  return {
    get isProcessing() {
      return processing;
    },
    get queueLength() {
      return queue.length;
    },
    get pending() {
      return pending.values().next().value ?? null;
    },
    send(message) {
      if (question !== null && session.answer(question, message)) {
        question = null;
        return 0;
      }
      const before = queue.length + (processing ? 1 : 0);
      queue.push(message);
      paused = false;
      if (!processing) {
        processing = true;
        clearTimeout(timer);
        work().catch(end);
      }
      return before;
    },
    pause() {
      paused = true;
      session.interrupt();
    },
    approve(requestId, approved) {
      const known = session.decide(requestId, approved ? { decision: 'allow' } : { decision: 'deny' });
      if (known) pending.delete(requestId);
      return known;
    },
    end,
    ended,
  };
}

const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty'];
const BASES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * The changes of the working tree since the merge base with the main branch, including untracked files. Null without a
 * repository. No program of the repository runs. Git's index does not change: new files are added to a copy of it.
 */
export async function diffOf(environment: Environment, directory: string): Promise<string | null> {
  const git = await findProgram('git', environment);
  if (git === null) return null;
  const noFilters = await withoutFilters(git, environment, directory);
  if (noFilters === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-diff-'));
  const index = join(folder, 'index');
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    const variables = { ...noFilters, GIT_INDEX_FILE: index };
    const { code, output } = await askGit(git, ['-c', 'core.quotePath=false', ...args], environment, {
      directory,
      variables,
    });
    return code === 0 ? output : null;
  };
  try {
    const own = await askGit(git, ['rev-parse', '--git-path', 'index'], environment, { directory });
    if (own.code !== 0) return null;
    await copyIndex(join(directory, own.output.trim()), index).catch(() => undefined); // none before the first commit
    await ask('add', '--intent-to-add', '--all', '--', '.');
    // What changed inside a submodule is asked of git there, with the submodule's settings.
    return await ask('diff', ...PLAIN, await baseOf(ask), '--');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps the time: git reads files again that changed in the second in which the index was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}

async function baseOf(ask: (...args: readonly string[]) => Promise<string | null>): Promise<string> {
  for (const base of BASES) {
    const found = await ask('merge-base', 'HEAD', base);
    if (found !== null) return found.trim();
  }
  return (await ask('rev-parse', '--verify', 'HEAD'))?.trim() ?? EMPTY_TREE;
}
