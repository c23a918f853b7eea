import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContentPart } from '../../agent/types/index.ts';
import { fitPicture, type Picture, pictureOf } from '../../files/picture.ts';
import { replaceFile } from '../../files/replace.ts';
import { listFiles } from '../../process/ask-git.ts';
import type { HistoryStore, Host, ShellEnd } from './ports.ts';

const MOST = 50_000;
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'target', '.venv', '__pycache__']);

/** Paths of the project: the files on disk that git tracks or would track; without git, a walk that leaves out the usual folders. */
export async function projectFiles(project: string): Promise<readonly string[]> {
  return (await listWithGit(project)) ?? (await walk(project));
}

async function listWithGit(project: string): Promise<readonly string[] | null> {
  const [all, deleted] = await Promise.all([
    listFiles(project, '--cached', '--others', '--exclude-standard'),
    listFiles(project, '--deleted'),
  ]);
  if (all === null || deleted === null) return null;
  const gone = new Set(deleted);
  return [...new Set(all)].filter((name) => !gone.has(name)).slice(0, MOST);
}

async function walk(project: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined && found.length < MOST; folder = folders.shift()) {
    const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(name);
      } else if (entry.isFile()) found.push(name);
    }
  }
  return found;
}

/**
 * Opens the user's editor on a text, in this terminal, and gives the text as it was saved. Null where no editor is
 * configured or it failed.
 * @param editor `VISUAL` or `EDITOR`: a program with its options, which the shell reads.
 */
async function externalEditor(text: string, editor: string | null, cwd: string): Promise<string | null> {
  if (editor === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-message-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { cwd, stdio: 'inherit' });
      child.once('error', reject).once('close', resolve);
    });
    return code === 0 ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface LocalOptions {
  /** Root of the project, once it is known. */
  readonly project: () => string;
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly home: string | null;
  readonly variables: ReadonlyMap<string, string>;
}

/** The part of the host that reaches this machine and no session. */
export function createLocalHost({
  project,
  cwd,
  home,
  variables,
}: LocalOptions): Pick<
  Host,
  'files' | 'shell' | 'image' | 'clipboardImage' | 'externalEditor' | 'history' | 'project' | 'home'
> {
  return {
    get project() {
      return project();
    },
    home,
    files: () => projectFiles(project()),
    shell: (command, output, signal) =>
      runShell({ command, cwd, shell: variables.get('SHELL') ?? '/bin/sh' }, output, signal),
    image: (path) => imageOf(path),
    clipboardImage: () => clipboardImage(variables),
    externalEditor: (text) => externalEditor(text, variables.get('VISUAL') ?? variables.get('EDITOR') ?? null, cwd),
    history: createHistoryStore(home === null ? null : join(home, '.gateway', 'history.jsonl')),
  };
}

/** Bytes of what the clipboard gives. */
const MOST_BYTES = 64 * 2 ** 20;

/** A picture file as a part of a message, shrunk to what engines take; null where it is none or cannot be read. */
async function imageOf(path: string): Promise<ContentPart | null> {
  return partOf(await pictureOf(path));
}

/** The image in the clipboard, by the program that the desktop brings for it. */
async function clipboardImage(variables: ReadonlyMap<string, string>): Promise<ContentPart | null> {
  const commands: readonly (readonly [string, ...string[]])[] = variables.has('WAYLAND_DISPLAY')
    ? [['wl-paste', '--type', 'image/png']]
    : variables.has('DISPLAY')
      ? [['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out']]
      : [['pngpaste', '-']];
  for (const [program, ...args] of commands) {
    const bytes = await outputOf(program, args);
    if (bytes !== null) return partOf(await fitPicture(bytes));
  }
  return null;
}

function partOf(picture: Picture): ContentPart | null {
  return 'fault' in picture ? null : { type: 'image', url: picture.url };
}

function outputOf(program: string, args: readonly string[]): Promise<Buffer | null> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: 3000 }, (error, output) =>
      resolve(error === null && output.length > 0 ? output : null),
    );
  });
}

/** The file is compacted when it contains twice the limit of messages. */
const KEPT = 500;
const LONGEST = 20_000;

/**
 * Messages of earlier sessions, one JSON text a line, readable only by their owner. Possible secrets are masked. Nothing here
 * fails: a history that cannot be written lasts until the end of the program.
 */
export function createHistoryStore(path: string | null): HistoryStore {
  return {
    async load() {
      if (path === null) return [];
      const text = await readFile(path, 'utf8').catch(() => '');
      const messages = parse(text);
      if (messages.length >= 2 * KEPT) await replaceFile(path, serialize(messages.slice(-KEPT))).catch(() => undefined);
      // After a line that was cut off, the next message begins a line of its own.
      else if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n').catch(() => undefined);
      return messages.slice(-KEPT);
    },
    async append(message) {
      if (path === null || message.length > LONGEST) return;
      try {
        const { maskText } = await import('@gateway/secrets'); // large: not before the first paint
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, serialize([maskText(message)]), { mode: 0o600 });
      } catch {
        // The history is a convenience: a session continues without it.
      }
    },
  };
}

function parse(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return []; // the last line of a write that was cut off
    }
  });
}

function serialize(messages: readonly string[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

/** What a command may take to end after SIGTERM. */
const GRACE_MS = 2000;
/** How long output may still come after the shell has exited. */
const LATE_MS = 100;

/**
 * Runs a command of the user, with the user's own environment and shell, in a process group of its own. It cannot read
 * the keyboard, which belongs to the session. As in a shell, a process in the background (`&`) is not waited for.
 */
function runShell(
  { command, cwd, shell }: { readonly command: string; readonly cwd: string; readonly shell: string },
  output: (chunk: string) => void,
  signal: AbortSignal,
): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const streams = [child.stdout, child.stderr] as const;
    const end = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // It has ended already.
      }
    };
    let killing: NodeJS.Timeout | undefined;
    let leaving: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(leaving);
      end('SIGTERM');
      killing = setTimeout(() => {
        end('SIGKILL');
        // A process in another group may hold the output open.
        leaving = setTimeout(() => leave(null), LATE_MS);
      }, GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    for (const stream of streams) stream.setEncoding('utf8').on('data', output);
    const settle = (): void => {
      clearTimeout(killing);
      clearTimeout(leaving);
      signal.removeEventListener('abort', stop);
    };
    /** Its output is read, or it would end at the next write, but it is not shown and keeps nothing alive. */
    const leave = (code: number | null): void => {
      settle();
      for (const stream of streams) {
        stream.off('data', output).resume();
        if (stream instanceof Socket) stream.unref();
      }
      resolve({ code, continues: true });
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (code) => {
      if (!signal.aborted) leaving = setTimeout(() => leave(code), LATE_MS);
    });
    child.once('close', (code) => {
      settle();
      resolve({ code, continues: false });
    });
  });
}
