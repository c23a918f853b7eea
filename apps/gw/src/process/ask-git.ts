import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, readEnvironment } from './environment.ts';

/**
 * Settings under which git runs nothing that the repository names, and asks no network: no hooks, no file system monitor,
 * no fetching of what a partial clone lacks.
 */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];
const OFFLINE = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
};
const FILTERS = '^filter\\..*\\.(clean|process|required)$';

/** Asks git something about a repository, without running anything that the repository names. Never throws. */
export function askGit(
  git: string,
  args: readonly string[],
  environment: Environment,
  options: NonNullable<Parameters<typeof askProgram>[3]>,
): Promise<ProgramOutput> {
  const variables = { ...OFFLINE, ...options.variables };
  return askProgram(git, [...SAFE, ...args], environment, { ...options, variables });
}

const LISTING_BYTES = 64 * 1024 * 1024;

/** Paths of files as `git ls-files` lists them; null without a repository. */
export async function listFiles(project: string, ...which: readonly string[]): Promise<readonly string[] | null> {
  const options = { directory: project, maxBytes: LISTING_BYTES };
  const { code, output } = await askGit('git', ['ls-files', ...which, '-z'], readEnvironment(), options);
  return code === 0 ? output.split('\0').filter((name) => name !== '') : null;
}

/**
 * Variables that disable the filters of a repository: programs that git runs over changed files. They are variables because a
 * name may contain a character that ends it in `-c`. Without filters, an LFS file may count as changed.
 * @returns null if git does not list them all, so that one would run.
 */
export async function withoutFilters(
  git: string,
  environment: Environment,
  directory: string,
): Promise<Readonly<Record<string, string>> | null> {
  const args = ['config', '--name-only', '-z', '--get-regexp', FILTERS];
  const { code, output, cut } = await askGit(git, args, environment, { directory });
  if (cut || (code !== 0 && code !== 1)) return null; // 1: there is none
  const names = output.split('\0').filter((name) => name !== '');
  const pairs = names.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, name] as const,
    [`GIT_CONFIG_VALUE_${at}`, ''] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(pairs) };
}

/** Milliseconds a program has to answer: on a network drive a large repository takes some. */
const PATIENCE_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Variables that a program needs to run at all and to find its user's settings; no other reaches it. */
const HANDED_ON = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'SystemRoot', 'XDG_CONFIG_HOME', 'TMPDIR', 'TEMP'] as const;

/** What a program answered on its standard output. */
interface ProgramOutput {
  /** Null where it was ended by a signal, or could not be started. */
  readonly code: number | null;
  readonly output: string;
  /** It had more to say than is read. */
  readonly cut: boolean;
}

/** Runs a program, without a shell, with a bare environment and a bound on its time and output. Never throws. */
export function askProgram(
  file: string,
  args: readonly string[],
  environment: Environment,
  options: {
    readonly directory?: string;
    readonly variables?: Readonly<Record<string, string>>;
    /** Bytes of output that are read; 4 MiB without it. */
    readonly maxBytes?: number;
  } = {},
): Promise<ProgramOutput> {
  const env: Record<string, string> = { LC_ALL: 'C', ...options.variables };
  for (const name of HANDED_ON) {
    const value = environment.variables.get(name);
    if (value !== undefined) env[name] = name.toUpperCase() === 'PATH' ? absolutePath(environment) : value;
  }
  return new Promise((resolve) => {
    try {
      const limits = {
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL' as const,
        maxBuffer: options.maxBytes ?? MOST_BYTES,
        windowsHide: true,
      };
      const child = execFile(file, args, { ...limits, env, cwd: options.directory }, (error, output) => {
        const cut = error?.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown);
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, output, cut });
      });
      child.stdin?.end();
    } catch {
      // Of the reasons for which a program does not start, Node throws some instead of calling back: too many variables.
      resolve({ code: null, output: '', cut: false });
    }
  });
}

/** Endings under which Windows finds a program by its bare name. Scripts are left out: they would need a shell. */
const ENDINGS: readonly string[] = process.platform === 'win32' ? ['.exe', '.com'] : [''];

/** The directories of PATH, and whether it contains relative ones, through which a project could supply its own programs. */
export function searchPath(environment: Environment): {
  readonly directories: readonly string[];
  readonly relative: boolean;
} {
  const all = (environment.variables.get('PATH') ?? environment.variables.get('Path') ?? '').split(delimiter);
  const set = all.length === 1 && all[0] === '' ? [] : all;
  return { directories: set.filter((each) => isAbsolute(each)), relative: set.some((each) => !isAbsolute(each)) };
}

/** PATH without relative directories. */
export function absolutePath(environment: Environment): string {
  return searchPath(environment).directories.join(delimiter);
}

/** The file that a program's name means, or null. Relative directories of PATH are passed over. */
export async function findProgram(name: string, environment: Environment): Promise<string | null> {
  for (const directory of searchPath(environment).directories) {
    for (const ending of ENDINGS) {
      const file = join(directory, name + ending);
      if (await runs(file)) return file;
    }
  }
  return null;
}

async function runs(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
