import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@gateway/contract/error-code';
import { legible } from '@gateway/contract/legible';
import { type AgentEvent, type AgentSession, type CallOutcome, ModelRefused } from '../../agent/types/index.ts';
import { openSession } from '../../compose/open-session.ts';
import type { SessionOptions } from '../../compose/session-options.ts';
import { openWorkspace, type Workspace } from '../../compose/workspace.ts';
import { findProject, staysWithin } from '../../files/project.ts';
import { findProgram } from '../../process/ask-git.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { maskSecrets } from '../../redaction/secrets.ts';
import { explicitText, safeText } from '../../terminal/text/safe.ts';
import { variablesOf } from '../../tools/create-runner.ts';
import type { AskPerson } from '../../trust/sources.ts';
import { EXIT } from '../command/command.ts';
import { parseSessionOptions } from '../session/options.ts';
import type { PrOptions } from './options.ts';
import {
  askOnLine,
  branchName,
  createGit,
  type Git,
  nextSteps,
  openRequest,
  push,
  type RequestText,
  requestText,
  restoreHead,
  restoreWorkTree,
  type SavedWorkTree,
  saveWorkTree,
  treeOfFiles,
} from './pr-git.ts';

/** What the request is made of and for. */
interface Base {
  /** Name of the branch on the remote. */
  readonly branch: string;
  /** Commit that the work started from. */
  readonly commit: string;
}

/** The base branch, here or on the remote. Throws `WrongUsage` where there is none of that name. */
async function findBase(git: Git, name: string): Promise<Base> {
  const branch = name.replace(/^(refs\/heads\/|origin\/)/, '');
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const commit = await git.try('merge-base', '--end-of-options', ref, 'HEAD');
    if (commit !== null) return { branch, commit: commit.trim() };
  }
  throw new WrongUsage(`--base-branch: there is no branch ${name} here or on origin. Fetch it, or name another one.`);
}

/** Throws `CommandFailed` in the middle of a merge or rebase, whose state a restored work tree would not have. */
async function refuseUnfinished(git: Git): Promise<void> {
  for (const [ref, what] of [
    ['MERGE_HEAD', 'merge'],
    ['REBASE_HEAD', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ] as const) {
    if ((await git.try('rev-parse', '--verify', '--quiet', ref)) !== null) {
      throw new CommandFailed(`A ${what} is in progress here. Finish it or abort it first.`);
    }
  }
}

/** Branches that nothing is ever pushed to: the base, and what the remote calls its main branch. */
async function readProtectedBranches(git: Git, base: Base): Promise<ReadonlySet<string>> {
  const main = (await git.try('symbolic-ref', '--short', 'refs/remotes/origin/HEAD'))?.trim().replace(/^origin\//, '');
  return new Set([base.branch, 'main', 'master', ...(main === undefined ? [] : [main])]);
}

/** Characters of a check's output, and of a difference, that the model is shown. */
const MAX_OUTPUT = 20_000;
const MAX_DIFF = 60_000;
const MAX_GUIDELINES = 20_000;
const LONGEST_CHECK_SECONDS = 3600;

interface Work {
  readonly context: Context;
  readonly options: PrOptions;
  readonly workspace: Workspace;
  readonly git: Git;
  readonly base: Base;
  readonly guidelines: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** `gw pr`. Until the commit, everything can be undone; an interruption before the push restores branch and work tree. */
export async function runPr(context: Context, options: PrOptions): Promise<number> {
  const { environment, terminal } = context;
  const program = await findProgram('git', environment);
  const canAsk = terminal.input && terminal.error;
  if (program === null) throw new WrongUsage('gw pr needs the program git. Install it.');
  if (!options.yes && !options.dryRun && !canAsk) {
    throw new WrongUsage('gw pr asks before it pushes, and there is no terminal to ask on. Use --yes or --dry-run.');
  }
  const report = (line: string): void => terminal.report(`gw pr: ${legible(line)}\n`);
  const workspace = await openInRoot(context, options, canAsk ? askOnLine(terminal, { isShown: false }) : undefined);
  for (const line of workspace.notices()) report(line);
  if (!workspace.project.repository) throw new WrongUsage('gw pr works in a git repository, and there is none here.');
  const keys = [workspace.model, ...workspace.settings.models].flatMap(({ apiKey }) => apiKey ?? []);
  const variables = variablesOf(environment.variables, keys);
  const git = createGit(program, workspace.project.directory, variables);
  await refuseUnfinished(git);
  const base = await findBase(git, options.baseBranch);
  const guidelines = await guidelinesOf(context, workspace, options.guidelines);
  const saved = await saveWorkTree(git);
  if (saved.files === (await git('rev-parse', `${base.commit}^{tree}`)).trim()) {
    throw new WrongUsage(`There is nothing to request: the work tree and this branch are as ${base.branch} is.`);
  }
  const work: Work = {
    context,
    options,
    workspace,
    git,
    base,
    guidelines,
    variables,
    signal: context.interrupted(),
    report,
  };
  let published = false;
  try {
    const text = await prepare(work);
    const diff = await difference(git, base);
    refuseSecrets(diff);
    const request = `${text.subject}\n\n${text.description}\n\n${diff}`;
    // What a person approves hides nothing; a file and a pipe get the raw text.
    await terminal.write(terminal.output ? explicitText(request) : request);
    if (options.dryRun) {
      report('--dry-run: nothing was committed or pushed, and the work tree is as it was.');
      return EXIT.done;
    }
    if (!options.yes && !/^y/i.test((await terminal.ask('Commit and push this? [y/N] ')) ?? '')) {
      report('nothing was committed or pushed.');
      return EXIT.done;
    }
    work.signal.throwIfAborted();
    const branch = await commit(work, text, saved);
    const remote = await push(git, branch);
    published = true;
    const publication = { branch, base: base.branch, text };
    const { opened, fault } =
      remote === null
        ? { opened: null, fault: null }
        : await openRequest(publication, remote, workspace.project.directory, environment, variables);
    if (fault !== null) report(fault);
    await terminal.write(opened === null ? nextSteps(publication, remote) : `${opened}\n`);
    return EXIT.done;
  } catch (error) {
    if (!work.signal.aborted) throw error;
    report('interrupted: the branch and the work tree are restored.');
    return EXIT.interrupted;
  } finally {
    if (!published && (options.dryRun || work.signal.aborted)) await restoreWorkTree(git, saved);
  }
}

/** The workspace of a session at the root of the repository: its checks run there. */
async function openInRoot(context: Context, options: PrOptions, person: AskPerson | undefined): Promise<Workspace> {
  const { environment } = context;
  const config = options.config === null ? null : pathFrom(environment, options.config);
  const { directory } = await findProject(environment.workingDirectory ?? '/', environment.userId);
  const workingDirectory = environment.workingDirectory === null ? null : directory;
  return openWorkspace(
    { ...context, environment: { ...environment, workingDirectory } },
    sessionOptions(config),
    person,
  );
}

/** Full access to the files of the project; every other tool follows the rules. */
function sessionOptions(config: string | null): SessionOptions {
  const given = config === null ? [] : [{ name: '--config', value: config }];
  const plain = parseSessionOptions({ options: given, positionals: [] });
  const tools = ['Write', 'Edit', 'MultiEdit'].map((rule) => ({ option: '--allow' as const, rule }));
  return { ...plain, tools };
}

async function guidelinesOf(context: Context, { project }: Workspace, path: string | null): Promise<string> {
  const own = join(project.directory, 'CONTRIBUTING.md');
  const file = path === null ? own : pathFrom(context.environment, path);
  // A link out of the project is outside: the model would be told what it leads to.
  const isRead = path !== null || (await staysWithin(project.directory, own));
  const text = isRead ? await readFile(file, 'utf8').catch(() => null) : null;
  if (text === null && path !== null) throw new WrongUsage(`--guidelines: ${path} cannot be read.`);
  return (text ?? '').slice(0, MAX_GUIDELINES);
}

/** Runs the checks, has the model fix what they find, and asks it for the text of the request. */
async function prepare(work: Work): Promise<RequestText> {
  const { workspace, options, git, base, guidelines } = work;
  const checks = checksIn(guidelines) ?? (await detectChecks(workspace.project.directory));
  if (checks.length === 0) work.report('the guidelines name no checks and none were detected: none are run.');
  const { terminal } = work.context;
  const interactive = terminal.input && terminal.error;
  const session = await openSession(workspace, { state: null, interactive, mode: 'normal', ordinaryVariables: true });
  session.subscribe((event) => {
    if (event.type === 'permission-requested')
      askPermission(terminal, session, event).catch((error: unknown) => work.report(errorMessage(error)));
    else if (event.type === 'question') session.answer(event.id, null);
    else if (event.type === 'notice' && event.level === 'warning') work.report(event.text);
  });
  const interrupt = (): void => session.interrupt();
  work.signal.addEventListener('abort', interrupt, { once: true });
  try {
    for (let tries = 0; ; tries++) {
      const failed = await firstFailure(work, session, checks);
      if (failed === null) break;
      if (tries === options.maxRetries) {
        work.context.terminal.report(`${safeText(maskSecrets(failed.output).text).trimEnd()}\n`);
        throw new CommandFailed(
          `${failed.command} still fails after ${tries === 1 ? '1 try' : `${tries} tries`}. Its output is above.`,
        );
      }
      work.report(`${failed.command} fails: the model tries to fix it (${tries + 1} of ${options.maxRetries})`);
      await askModel(
        work,
        session,
        `The check \`${failed.command}\` of this repository fails. Fix the cause in the files; do not change the check. Its output:\n\n${failed.output}`,
      );
    }
    const files = (await git('diff', '--name-only', '-z', base.commit, await treeOfFiles(git)))
      .split('\0')
      .filter(Boolean);
    const diff = (await difference(git, base)).slice(0, MAX_DIFF);
    const rules = guidelines === '' ? '' : `\n\nFollow these guidelines:\n\n${guidelines}`;
    const answer = await askModel(
      work,
      session,
      `Write the commit message of this change, which is also the title and description of its pull request. First line: a subject of at most 72 characters. Then a blank line and the reasons for the change. Answer with that text alone; change no file.${rules}\n\nThe change:\n\n${diff}`,
    );
    return requestText(maskSecrets(answer).text, files);
  } finally {
    work.signal.removeEventListener('abort', interrupt);
    await session.close();
  }
}

async function askModel({ signal }: Work, session: AgentSession, message: string): Promise<string> {
  signal.throwIfAborted();
  const { status, answer, error } = await session.submit(maskSecrets(message).text);
  signal.throwIfAborted();
  if (status === 'refused') throw new CommandFailed(error?.message ?? 'The gateway refused.', EXIT.refused);
  if (status === 'failed') throw new CommandFailed(error?.message ?? 'The model failed.');
  return answer;
}

/**
 * Runs the checks as calls of Bash: judged by the rules, asked for, recorded and reported like those of the model. One that may
 * not run ends the command; `--dry-run` goes on without it.
 */
async function firstFailure(
  { options, signal, report }: Work,
  session: AgentSession,
  checks: readonly string[],
): Promise<{ command: string; output: string } | null> {
  for (const command of checks) {
    signal.throwIfAborted();
    report(`check: ${command}`);
    const { outcome, content } = await callBash(session, command).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ModelRefused) throw new CommandFailed(error.message, EXIT.refused);
      throw error;
    });
    if (outcome === 'denied') {
      const [reason = ''] = content.split(/ (?:Nobody can approve it here|The call was not run)/);
      const why = `The check ${command} was not run. ${reason}`;
      const fix = 'Allow it in ~/.gateway/config.yaml, for example permissions: { allow: ["Bash(npm test)"] }.';
      if (!options.dryRun) throw new CommandFailed(`${why} So nothing was committed. ${fix}`, EXIT.denied);
      report(`${why} ${fix}`);
    } else if (outcome === 'failed') return { command, output: content.slice(-MAX_OUTPUT) };
  }
  return null;
}

function callBash(session: AgentSession, command: string): Promise<CallOutcome> {
  return session.call('Bash', { command, timeout_seconds: LONGEST_CHECK_SECONDS });
}

/** Asks on the terminal. Anything but a yes denies the call. */
async function askPermission(
  terminal: Context['terminal'],
  session: AgentSession,
  { id, tool, target, reason }: Extract<AgentEvent, { type: 'permission-requested' }>,
): Promise<void> {
  const answer = await terminal.ask(`${explicitText(`${tool} ${target.value}\n${reason}`)}\nRun it? [y/N] `);
  session.decide(id, /^\s*(?:y|yes)\s*$/i.test(answer ?? '') ? { decision: 'allow' } : { decision: 'deny' });
}

/** Throws `CommandFailed` if added lines contain a possible secret: a request would publish it. */
function refuseSecrets(diff: string): void {
  const added = diff.split('\n').filter((line) => line.startsWith('+'));
  if (maskSecrets(added.join('\n')).masked > 0) {
    throw new CommandFailed(
      'The change adds what looks like a secret, so nothing was committed. Remove it and run gw pr again.',
    );
  }
}

/** The difference between the base and the current files, including untracked ones. */
async function difference(git: Git, base: Base): Promise<string> {
  return git('diff', '--no-color', '--no-ext-diff', base.commit, await treeOfFiles(git));
}

/** Commits what is not committed yet, on a branch of its own where the current one is not to be pushed to. */
async function commit({ git, base }: Work, text: RequestText, saved: SavedWorkTree): Promise<string> {
  const current = saved.branch;
  const keep = current !== null && !(await readProtectedBranches(git, base)).has(current);
  const branch = keep ? current : branchName(text.subject, randomBytes(3).toString('hex'));
  if (!keep) await git('switch', '--quiet', '--create', branch);
  try {
    await git('add', '--all');
    if ((await git.try('diff', '--cached', '--quiet')) === null) {
      await git('commit', '--quiet', '--message', text.subject, '--message', text.description);
    }
  } catch (error) {
    await restoreHead(git, saved); // A hook refused, or git does not know the user: the files stay unchanged.
    throw error;
  }
  return branch;
}

/** Commands of the first fenced block below a heading `Checks`, one a line; null where the guidelines name none. */
export function checksIn(guidelines: string): readonly string[] | null {
  let [inSection, fence] = [false, ''];
  const commands: string[] = [];
  for (const line of guidelines.split(/\r?\n/)) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (/^#{1,6}\s/.test(line)) inSection = /^#{1,6}\s+checks?\s*$/i.test(line);
      fence = mark;
    } else if (mark.startsWith(fence)) {
      if (inSection && commands.length > 0) return commands;
      fence = '';
    } else if (inSection) {
      const command = line.replace(/(^|\s)#.*$/, '').trim();
      if (command !== '') commands.push(command);
    }
  }
  return null;
}

/** Commands that the manifests of a repository suggest, quick ones first. Empty where they suggest none. */
export async function detectChecks(directory: string): Promise<readonly string[]> {
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => null);
  const scripts = scriptsOf(await read('package.json'));
  const found = ['check', 'lint', 'typecheck', 'test']
    .filter((name) => scripts.has(name))
    .map((name) => `npm run --silent ${name}`);
  const makefile = (await read('Makefile')) ?? '';
  for (const target of ['check', 'test'])
    if (new RegExp(`^${target}\\s*:(?!=)`, 'm').test(makefile)) found.push(`make ${target}`);
  if ((await read('Cargo.toml')) !== null) found.push('cargo test');
  if ((await read('go.mod')) !== null) found.push('go vet ./...', 'go test ./...');
  if (/\bpytest\b/.test((await read('pyproject.toml')) ?? '')) found.push('python3 -m pytest -q');
  return found;
}

/** Names of the scripts of a package.json. The one that `npm init` writes, which always fails, is none. */
function scriptsOf(manifest: string | null): ReadonlySet<string> {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Record<string, unknown> };
    const own = Object.entries(scripts ?? {}).filter(
      ([, line]) => typeof line === 'string' && !line.includes('no test specified'),
    );
    return new Set(own.map(([name]) => name));
  } catch {
    return new Set();
  }
}
