import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a program of the system. @throws with what it says, where it fails */
export function run(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** The same while callers go on. It is ended after this time. */
export async function runBeside(
  program: string,
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  milliseconds = 60_000,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: milliseconds, ...options });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out: out + errors };
}

/** One machine of the cluster: a network namespace with an address of its own. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The words before a command that runs it there, as the server's user. */
  readonly enter: readonly string[];
  /** Its processes. */
  pids(): readonly number[];
  signal(signal: NodeJS.Signals): void;
  /** Nothing passes to this host any more, and nothing is refused: a partition. */
  cutFrom(other: Host): void;
  heal(): void;
}

export interface Network {
  host(name: string, number: number): Host;
  /** Ends every process in it, and removes it. */
  remove(): void;
}

let made = 0;

/** A bridge with a namespace for each host. The address of this side ends in 1. */
export function createNetwork(user: string): Network {
  made += 1;
  const id = `${process.pid % 100_000}${made % 10}`;
  const bridge = `gwc${id}`;
  const subnet = `10.213.${process.pid % 250}`;
  const hosts: Host[] = [];
  run('ip', 'link', 'add', bridge, 'type', 'bridge');
  run('ip', 'address', 'add', `${subnet}.1/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  return {
    host(name, number) {
      const [space, outside, address] = [`gwc${id}-${name}`, `gwc${id}${name}`, `${subnet}.${number}`];
      run('ip', 'netns', 'add', space);
      const inside = (...words: readonly string[]): string => run('ip', '-n', space, ...words);
      const pids = (): readonly number[] => run('ip', 'netns', 'pids', space).split('\n').filter(Boolean).map(Number);
      let cut: readonly string[] = [];
      const host: Host = {
        name,
        address,
        enter: ['netns', 'exec', space, 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'],
        pids,
        signal(signal) {
          for (const pid of pids()) kill(pid, signal);
        },
        cutFrom(other) {
          inside('route', 'add', 'blackhole', `${other.address}/32`);
          cut = [...cut, other.address];
        },
        heal() {
          for (const one of cut) inside('route', 'del', 'blackhole', `${one}/32`);
          cut = [];
        },
      };
      hosts.push(host);
      run('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
      run('ip', 'link', 'set', outside, 'master', bridge, 'up');
      inside('address', 'add', `${address}/24`, 'dev', 'eth0');
      inside('link', 'set', 'eth0', 'up');
      inside('link', 'set', 'lo', 'up');
      return host;
    },
    remove() {
      for (const host of hosts) {
        host.signal('SIGKILL');
        run('ip', 'netns', 'delete', `gwc${id}-${host.name}`);
        // Gone with its other end, unless a process that just ended still holds that.
        spawnSync('ip', ['link', 'delete', `gwc${id}${host.name}`]);
      }
      run('ip', 'link', 'delete', bridge);
    },
  };
}

/** A process may have ended by now. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
