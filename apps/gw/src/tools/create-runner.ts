import { execFile, spawn } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { findProgram } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';
import { credentialsIn, isTellingName } from '../redaction/redaction.ts';
import { maskSecrets } from '../redaction/secrets.ts';
import type { CommandEnd, CommandRequest, CommandRunner, ExcludedPaths, RunningCommand } from './jobs.ts';

/** Milliseconds between the request to end and the end by force. */
const GRACE_MS = 1000;
/** The same where a reaper ends by force after `GRACE_MS` what the command started: it needs time to do so. */
const REAPER_GRACE_MS = 4000;
/** Milliseconds that output may still come after the shell ended, from what it left running. */
const LATE_MS = 200;

/**
 * Runs commands on this machine: without a terminal, in a process group of their own, in the sandbox where there is one. Without
 * one a reaper ends what they leave behind; without both, what leaves the group outlives them.
 * @param variables the whole environment of the commands
 */
export function createLocalRunner(
  sandbox: () => Promise<Sandbox | null>,
  variables: Readonly<Record<string, string>>,
  findReaper: () => Promise<readonly [string, ...string[]] | null> = async () => null,
): CommandRunner {
  return {
    location: null,
    async start(request, output): Promise<RunningCommand> {
      const found = await sandbox();
      const reaper = found === null ? await findReaper() : null;
      const line = commandLine(found, request);
      const [program, ...args] = reaper === null ? line : [...reaper, ...line];
      const child = spawn(program, args, {
        cwd: request.directory,
        env: reaper === null ? variables : { ...variables, PERL_BADLANG: '0' }, // no warning of a missing locale
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const signal = (name: NodeJS.Signals): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, name);
        } catch {
          // has exited already
        }
      };
      for (const stream of [child.stdout, child.stderr]) {
        const decoder = new StringDecoder('utf8');
        const isError = stream === child.stderr;
        stream.on('data', (chunk: Buffer) => output(decoder.write(chunk), isError));
        stream.on('end', () => {
          const rest = decoder.end(); // of a character that is not whole
          if (rest !== '') output(rest, isError);
        });
        stream.on('error', () => undefined);
      }
      const ended = new Promise<CommandEnd>((resolve) => {
        child.once('error', (error) =>
          resolve({ code: null, signal: null, fault: `The command cannot be started: ${error.message}` }),
        );
        child.once('exit', (code, name) => {
          const settle = (): void => {
            signal('SIGKILL'); // what it left in its group does not outlive it
            child.stdout.destroy();
            child.stderr.destroy();
            resolve({ code, signal: name });
          };
          const timer = setTimeout(settle, LATE_MS);
          child.once('close', () => {
            clearTimeout(timer);
            settle();
          });
        });
      });
      return {
        ended,
        async stop() {
          signal('SIGTERM');
          const timer = setTimeout(() => signal('SIGKILL'), reaper === null ? GRACE_MS : REAPER_GRACE_MS);
          await ended;
          clearTimeout(timer);
        },
      };
    },
  };
}

/** The program and words that run a command in a shell, in the sandbox where there is one. */
export function commandLine(
  sandbox: Sandbox | null,
  { command, directory, readOnly, excluded }: CommandRequest,
): readonly [string, ...string[]] {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const inShell = [shell, '-c', command] as const;
  if (sandbox === null) return inShell;
  const [program, ...args] = sandbox.wrap({ directory, readOnly, ...(excluded === undefined ? {} : { excluded }) });
  return [program, ...args, ...inShell];
}

export interface LocalCommands {
  readonly runner: CommandRunner;
  /** Whether plan mode can let commands run that are not known to only read. Probes the sandbox on first use. */
  readonly hasSandbox: () => Promise<boolean>;
  /** The program and words that run a command in the same way where somebody else starts the process. */
  readonly lineOf: (request: CommandRequest) => Promise<readonly [string, ...string[]]>;
}

/** @param keys values that no command gets: the keys of the gateway and of the models */
export function createLocalCommands(environment: Environment, keys: readonly string[]): LocalCommands {
  let found: Promise<Sandbox | null> | undefined;
  const sandbox = (): Promise<Sandbox | null> => {
    found ??= findProgram('bwrap', environment).then((program) => findSandbox(program, environment.homeDirectory));
    return found;
  };
  return {
    runner: createLocalRunner(sandbox, variablesOf(environment.variables, keys), async () =>
      reaperWords(await findProgram('perl', environment)),
    ),
    hasSandbox: async () => (await sandbox()) !== null,
    lineOf: async (request) => {
      const removed = findRemovedVariables(environment.variables, keys).flatMap((name) => ['-u', name]);
      const line = commandLine(await sandbox(), request);
      return removed.length === 0 ? line : ['env', ...removed, ...line];
    },
  };
}

/** Asks the rules before each command which paths its sandbox hides. */
export function withExclusions(
  runner: CommandRunner,
  rules: { excludedPaths(): Promise<ExcludedPaths> },
): CommandRunner {
  return {
    location: runner.location,
    start: async (request, output) => runner.start({ ...request, excluded: await rules.excludedPaths() }, output),
  };
}

/** System call number of prctl. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Starts a command and ends everything that it leaves behind, detached programs too: as a "child subreaper" it becomes the parent
 * of every orphan. It ends as its command ended. On SIGTERM it waits a second and then ends all by force; it gets one when gw ends.
 */
const PROGRAM = String.raw`
my ($prctl, @command) = @ARGV;
syscall($prctl, 36, 1, 0, 0, 0);
syscall($prctl, 1, 15, 0, 0, 0);
delete $ENV{PERL_BADLANG};
$SIG{TERM} = sub { alarm 1 };
$SIG{ALRM} = sub { kill 'KILL', children() };
my $child = fork;
exit 126 unless defined $child;
if ($child == 0) { $SIG{TERM} = $SIG{ALRM} = 'DEFAULT'; exec { $command[0] } @command; exit 127 }
sub children {
  my @found;
  for my $folder (glob '/proc/[0-9]*') {
    open my $file, '<', "$folder/stat" or next;
    my $line = <$file>;
    push @found, $1 if defined $line && $line =~ /^(\d+) \(.*\) \S (\d+) /s && $2 == $$;
  }
  return @found;
}
my $status;
while (!defined $status) {
  my $ended = waitpid -1, 0;
  $status = $? if $ended == $child;
  last if $ended == -1;
}
select undef, undef, undef, 0.2 if children();
while (my @left = children()) {
  kill 'KILL', @left;
  waitpid $_, 0 for @left;
}
if (my $signal = ($status // 0) & 127) { $SIG{TERM} = 'DEFAULT'; kill $signal, $$; select undef, undef, undef, 1 }
exit(($status // 0) >> 8);
`;

/** The words before a command that let nothing of it outlive it; null where this machine cannot. */
function reaperWords(perl: string | null): readonly [string, ...string[]] | null {
  const prctl = process.platform === 'linux' ? PRCTL[process.arch] : undefined;
  return perl === null || prctl === undefined ? null : [perl, '-e', PROGRAM, String(prctl)];
}

/** Milliseconds that the probe may take. */
const PROBE_MS = 5000;

interface Sandbox {
  /** The program and its words, before the shell and its own. */
  wrap(request: {
    readonly directory: string;
    readonly readOnly: boolean;
    readonly excluded?: ExcludedPaths;
  }): readonly [string, ...string[]];
}

/** Directories where programs on this machine listen on sockets: a read-only view alone would leave them reachable. */
const SOCKETS = ['/run', '/var/run', '/tmp'];

/**
 * Bubblewrap, if it works on this machine; else null. Commands see the real file system, except: only their own processes,
 * `~/.gateway` read-only and without credentials, and no terminal. In plan mode the whole file system is read-only and there is
 * no network.
 */
async function findSandbox(bubblewrap: string | null, home: string | null): Promise<Sandbox | null> {
  if (bubblewrap === null) return null;
  const sandbox: Sandbox = {
    wrap: (request) => [
      bubblewrap,
      ...(request.readOnly ? readOnly(request.directory) : writable()),
      ...secrets(home),
      ...exclusions(request.excluded),
      '--chdir',
      request.directory,
      '--',
    ],
  };
  const [program, ...args] = sandbox.wrap({ directory: '/', readOnly: true });
  const works = await promisify(execFile)(program, [...args, '/bin/sh', '-c', 'true'], { timeout: PROBE_MS }).then(
    () => true,
    () => false,
  );
  return works ? sandbox : null;
}

const COMMON = ['--unshare-pid', '--die-with-parent', '--new-session', '--dev', '/dev', '--proc', '/proc'];

function writable(): string[] {
  return ['--bind', '/', '/', ...COMMON, ...(existsSync('/dev/shm') ? ['--bind', '/dev/shm', '/dev/shm'] : [])];
}

function readOnly(directory: string): string[] {
  // Often /var/run is a link to /run.
  const hidden = SOCKETS.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink()).flatMap((path) => [
    '--tmpfs',
    path,
  ]);
  const back = SOCKETS.some((path) => `${directory}/`.startsWith(`${path}/`))
    ? ['--ro-bind', directory, directory]
    : [];
  return ['--ro-bind', '/', '/', ...hidden, ...back, ...COMMON, '--unshare-net', '--unshare-ipc', '--unshare-uts'];
}

function secrets(home: string | null): string[] {
  const own = home === null ? null : join(home, '.gateway');
  if (own === null || !existsSync(own)) return [];
  const credentials = join(own, 'credentials.json');
  const serve = join(own, 'serve');
  return [
    '--ro-bind',
    own,
    own,
    ...(existsSync(credentials) ? ['--ro-bind', '/dev/null', credentials] : []),
    ...(existsSync(serve) ? ['--tmpfs', serve] : []),
  ];
}

/** What may not be read is an empty file or folder, and nothing writes to what may not be written. */
function exclusions(excluded: ExcludedPaths = { unreadable: [], unwritable: [] }): string[] {
  const unwritable = excluded.unwritable.filter((path) => existsSync(path));
  const unreadable = excluded.unreadable.filter((path) => existsSync(path));
  return [
    ...unwritable.flatMap((path) => ['--ro-bind', path, path]),
    ...unreadable.flatMap((path) =>
      statSync(path).isDirectory()
        ? ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]
        : ['--ro-bind', '/dev/null', path],
    ),
  ];
}

/** Variables of the client itself: credentials of the user or the deployment. */
const OWN = /^GATEWAY_(?:KEY|.*TOKEN|LICENSE.*)$|^ADMIN_(?:API_KEY|PASS)$/;

/** Programs that open an editor or a pager would wait for input that never comes. */
export const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

/** The variables that a command gets: the user's, without the keys of the gateway and of the models. */
export function variablesOf(all: ReadonlyMap<string, string>, keys: readonly string[]): Record<string, string> {
  const removed = new Set(findRemovedVariables(all, keys));
  const kept = [...all].filter(([name]) => !removed.has(name));
  return {
    ...Object.fromEntries(kept),
    ...absoluteFirst(new Map(kept)),
    ...explicitRepositories(all),
    ...UNATTENDED,
    TERM: 'dumb',
  };
}

/** A program of the project must not take the place of the system's: `./node_modules/.bin/ls`. */
function absoluteFirst(all: ReadonlyMap<string, string>): Record<string, string> {
  const folders = (all.get('PATH') ?? '').split(delimiter);
  const absolute = folders.filter((folder) => isAbsolute(folder));
  if (absolute.length === folders.length) return {};
  return { PATH: [...absolute, ...folders.filter((folder) => !isAbsolute(folder))].join(delimiter) };
}

/** A repository without a work tree can be part of a project, and its settings start programs: git does not use it by itself. */
function explicitRepositories(all: ReadonlyMap<string, string>): Record<string, string> {
  const count = Number(all.get('GIT_CONFIG_COUNT') ?? 0);
  if (!Number.isSafeInteger(count) || count < 0) return {};
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}

/** Names of the variables with a key of the gateway or of a model. */
export function findRemovedVariables(all: ReadonlyMap<string, string>, keys: readonly string[]): readonly string[] {
  const secret = keys.filter((key) => key.length >= 4);
  return [...all].flatMap(([name, value]) =>
    OWN.test(name) || secret.some((key) => value.includes(key)) ? [name] : [],
  );
}

/** A name in front of which the scanner takes a value without a form of its own for a key. */
const NAME_OF_KEY = 'AWS_SECRET_ACCESS_KEY';

/** The digest of a commit (`GITHUB_SHA`), which has the length of such a key. */
const DIGEST = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** The variables of which neither name nor value looks like a secret. */
export function ordinaryVariables(all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...all].filter(
      ([name, value]) =>
        !isTellingName(name) &&
        credentialsIn(value).length === 0 &&
        (DIGEST.test(value) ? [name] : [name, NAME_OF_KEY]).every((one) => maskSecrets(`${one}=${value}`).masked === 0),
    ),
  );
}
