import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@gateway/contract/error-code';
import { findProgram } from '../../process/ask-git.ts';
import type { Terminal } from '../../process/context.ts';
import type { Environment } from '../../process/environment.ts';
import { CommandFailed } from '../../process/fault.ts';
import { explicitText } from '../../terminal/text/safe.ts';
import { nameOf } from '../../trust/open.ts';
import type { AskPerson } from '../../trust/sources.ts';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Output of a program that ended with 0. */
export interface Git {
  (...args: readonly string[]): Promise<string>;
  /** The same with other variables, for an index of its own. */
  with(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string>;
  /** Null instead of a fault. */
  try(...args: readonly string[]): Promise<string | null>;
}

/**
 * The user's own git, with their hooks, signing and credentials, as they would run it. It never asks on the terminal.
 * Throws `CommandFailed` with what git said.
 */
export function createGit(program: string, directory: string, variables: Readonly<Record<string, string>>): Git {
  const run = (more: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> =>
    runProgram(program, args, directory, { ...variables, GIT_TERMINAL_PROMPT: '0', ...more });
  return Object.assign((...args: readonly string[]) => run({}, args), {
    with: (more: Readonly<Record<string, string>>, ...args: readonly string[]) => run(more, args),
    try: (...args: readonly string[]) => run({}, args).catch(() => null),
  });
}

/** Runs a program without a shell and without a terminal. Throws `CommandFailed` with its last line of error output. */
export function runProgram(
  program: string,
  args: readonly string[],
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env: variables, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(program, args, options, (error, output, errorOutput) => {
      if (error === null) {
        resolve(output);
        return;
      }
      const name = program.split('/').at(-1) ?? program;
      const reason = errorOutput.trim().split('\n').slice(-3).join(' ') || error.message.split('\n')[0];
      reject(new CommandFailed(`${name} ${args[0]} failed: ${reason}`));
    });
    child.stdin?.end();
  });
}

/** The branch, the index and every file that git does not ignore, as they were. */
export interface SavedWorkTree {
  /** Null where no branch was checked out. */
  readonly branch: string | null;
  readonly commit: string;
  /** Tree of the index. */
  readonly index: string;
  /** Tree of the files, untracked ones included. */
  readonly files: string;
}

export async function saveWorkTree(git: Git): Promise<SavedWorkTree> {
  const branch = await git.try('symbolic-ref', '--quiet', '--short', 'HEAD');
  return {
    branch: branch === null ? null : branch.trim(),
    commit: (await git('rev-parse', 'HEAD')).trim(),
    index: (await git('write-tree')).trim(),
    files: await treeOfFiles(git),
  };
}

/** A tree of every file that git does not ignore, made in a separate index: the user's does not change. */
export async function treeOfFiles(git: Git): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gw-pr-'));
  try {
    const own = { GIT_INDEX_FILE: join(folder, 'index') };
    await git.with(own, 'read-tree', 'HEAD');
    await git.with(own, 'add', '--all');
    return (await git.with(own, 'write-tree')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Brings back branch, index and files. A branch that was made since keeps its commits, but is no longer checked out. */
export async function restoreWorkTree(git: Git, saved: SavedWorkTree): Promise<void> {
  const now = await treeOfFiles(git);
  if (now !== saved.files) {
    // From what is there to what was there: files that came since are removed, others are written back.
    await git('read-tree', now);
    await git('read-tree', '-u', '--reset', saved.files);
  }
  await restoreHead(git, saved);
}

/** Restores branch and index, and does not touch the files. */
export async function restoreHead(git: Git, saved: SavedWorkTree): Promise<void> {
  if (saved.branch === null) await git('update-ref', '--no-deref', 'HEAD', saved.commit);
  else await git('symbolic-ref', 'HEAD', `refs/heads/${saved.branch}`);
  await git('read-tree', saved.index);
}

/**
 * Asks on a line of the terminal, for commands that draw no screen. Anything but a yes is a no.
 * @param isShown what is asked about was printed already
 */
export function askOnLine(terminal: Terminal, { isShown }: { readonly isShown: boolean }): AskPerson {
  return async (request) => {
    if (!isShown) {
      const rows = request.shown.map(([label, value]) => `  ${label}: ${value.replaceAll('\n', ' ⏎ ')}`);
      terminal.report(`${explicitText([`${request.place} adds:`, ...rows].join('\n'))}\n`);
    }
    const question = `Agree to ${explicitText(nameOf(request)).replaceAll('\n', ' ')} of this project? [y/N] `;
    const answer = (await terminal.ask(question))?.trim() ?? '';
    return /^(?:y|yes)$/i.test(answer) ? 'yes' : 'no';
  };
}

interface Publication {
  readonly branch: string;
  readonly base: string;
  readonly text: RequestText;
}

/** Pushes the branch to origin, never with force. @returns the address of the remote; null where there is none. */
export async function push(git: Git, branch: string): Promise<string | null> {
  const remote = (await git.try('remote', 'get-url', 'origin'))?.trim() ?? null;
  if (remote !== null) await git('push', '--set-upstream', 'origin', `refs/heads/${branch}:refs/heads/${branch}`);
  return remote;
}

/** Opens the request with gh or glab. @returns what the program printed; null where neither is installed or can do it. */
export async function openRequest(
  { branch, base, text }: Publication,
  remote: string,
  directory: string,
  environment: Environment,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly opened: string | null; readonly fault: string | null }> {
  const gitlab = /gitlab/i.test(remote);
  const name = gitlab ? 'glab' : 'gh';
  const program = await findProgram(name, environment);
  if (program === null) return { opened: null, fault: null };
  const { subject, description } = text;
  const args = gitlab
    ? [
        'mr',
        'create',
        '--source-branch',
        branch,
        '--target-branch',
        base,
        '--title',
        subject,
        '--description',
        description,
        '--yes',
      ]
    : ['pr', 'create', '--head', branch, '--base', base, '--title', subject, '--body', description];
  try {
    return { opened: (await runProgram(program, args, directory, variables)).trim(), fault: null };
  } catch (error) {
    return { opened: null, fault: errorMessage(error) };
  }
}

/** What a person does where no program opens the request. */
export function nextSteps({ branch, base, text }: Publication, remote: string | null): string {
  const steps =
    remote === null
      ? [`Add a remote: git remote add origin <address>`, `Push the branch: git push --set-upstream origin ${branch}`]
      : [`The branch ${branch} is on ${withoutCredentials(remote)}.`];
  const last = `Open a request from ${branch} to ${base} with this title and description:`;
  return [...steps, last, '', text.subject, '', text.description, ''].join('\n');
}

/** A remote's address without a user name and password. */
function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}

export interface RequestText {
  /** One line of at most 72 characters. */
  readonly subject: string;
  /** Body of the commit and description of the request; may be empty. */
  readonly description: string;
}

const MAX_SUBJECT = 72;

/**
 * Parses a model's answer: its first line is the subject, the rest the description. Small models add headings, quotes and
 * fences; these are removed. An answer without text gives the subject `Update <files>`.
 */
export function requestText(answer: string, files: readonly string[]): RequestText {
  const lines = answer
    .replaceAll(/<think>[\s\S]*?<\/think>/g, '')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(```|~~~)/.test(line));
  const first = lines.findIndex((line) => line.trim() !== '');
  const written = (lines[first] ?? '')
    .replace(/^\s*(#+\s*)?(\**(subject|title|commit message)\**\s*:\s*\**)?/i, '')
    .replaceAll(/^["'`*]+|["'`*]+$/g, '')
    .trim();
  const subject = written === '' ? fallback(files) : written;
  const rest = lines
    .slice(first + 1)
    .join('\n')
    .replace(/^\s*\**(description|body)\**\s*:\**\s*/i, '')
    .trim();
  if (subject.length <= MAX_SUBJECT) return { subject, description: rest };
  const cut = subject.slice(0, MAX_SUBJECT - 1).replace(/\s+\S*$|[\ud800-\udbff]$/, '');
  return { subject: `${cut}…`, description: [subject, rest].filter((part) => part !== '').join('\n\n') };
}

function fallback(files: readonly string[]): string {
  const [first = 'files'] = files;
  return files.length > 1 ? `Update ${first} and ${files.length - 1} more` : `Update ${first}`;
}

/** A branch name of a subject: `gw/raise-the-tax-3f9a2c`. */
export function branchName(subject: string, suffix: string): string {
  const words = subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return `gw/${words === '' ? 'changes' : words}-${suffix}`;
}
