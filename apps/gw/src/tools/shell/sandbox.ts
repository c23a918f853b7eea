import { execFile } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExcludedPaths } from './types.ts';

/** Milliseconds that the probe may take. */
const PROBE_MS = 5000;

export interface Sandbox {
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
export async function findSandbox(bubblewrap: string | null, home: string | null): Promise<Sandbox | null> {
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
