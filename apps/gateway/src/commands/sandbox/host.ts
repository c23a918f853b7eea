import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SANDBOX_SETTINGS, SANDBOX_SYSTEM } from '../../config/sandbox-paths.ts';
import { MissingPart } from '../processes/missing-part.ts';
import type { UserIds } from './user-ids.ts';
import type { HostView } from './view.ts';

/** Absolute paths of the programs a sandboxed command is started through. */
export interface Programs {
  readonly sh: string;
  readonly mkfifo: string;
  readonly prlimit: string;
  readonly setpriv: string;
  readonly bwrap: string;
  readonly chown: string;
}

const PACKAGES = {
  sh: 'dash',
  mkfifo: 'coreutils',
  prlimit: 'util-linux',
  setpriv: 'util-linux',
  bwrap: 'bubblewrap',
  chown: 'coreutils',
};

/** @param path directories as in the variable PATH; the standard ones are scanned besides. */
export function findPrograms(path: string): Programs {
  const directories = [...path.split(delimiter), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  const find = (name: keyof Programs): string => {
    const found = directories
      .filter((one) => one.startsWith('/'))
      .map((one) => join(one, name))
      .find(isProgram);
    if (found === undefined) {
      throw new MissingPart(`needs the program ${name}, which is not installed (package ${PACKAGES[name]})`);
    }
    return found;
  };
  return {
    sh: find('sh'),
    mkfifo: find('mkfifo'),
    prlimit: find('prlimit'),
    setpriv: find('setpriv'),
    bwrap: find('bwrap'),
    chown: find('chown'),
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const MASKED = ['/proc/cmdline', '/proc/keys', '/proc/kcore', '/proc/timer_list', '/proc/sched_debug'];
const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** @param files directory for the few files the sandbox shows instead of the host's; made here. */
export function readHostView(files: string, readable: readonly string[]): HostView {
  // Not `recursive`: where the file system makes no directory (/proc), Node.js would try for ever.
  if (!exists(files)) mkdirSync(files, { mode: 0o755 });
  writeFileSync(join(files, 'passwd'), 'agent:x:1000:1000:agent:/workspace:/bin/sh\n', { mode: 0o644 });
  writeFileSync(join(files, 'group'), 'agent:x:1000:\n', { mode: 0o644 });
  writeFileSync(join(files, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n', { mode: 0o644 });
  const system = SANDBOX_SYSTEM.flatMap((path) => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    return entry === undefined ? [] : [{ path, link: entry.isSymbolicLink() ? readlinkSync(path) : null }];
  });
  return { system, settings: SANDBOX_SETTINGS.filter(exists), masked: MASKED.filter(exists), readable, files };
}

/**
 * Lets the sandboxes' users pass through the directory of all sessions, without listing it. Only the gateway's own
 * directory is changed; one above it that is closed is named instead.
 */
export function openPassage(workdir: string, { first, count }: UserIds): void {
  // A directory that belongs to the only user of all sandboxes is open to it.
  const isOpen = ({ mode, uid }: Stats) => (mode & 0o001) !== 0 || (count === 1 && uid === first);
  const entry = statSync(workdir);
  if (!isOpen(entry)) chmodSync(workdir, (entry.mode & 0o777) | 0o001);
  for (let above = dirname(workdir); ; above = dirname(above)) {
    if (!isOpen(statSync(above))) {
      throw new MissingPart(
        `cannot let the sandbox's user (uid ${first}) reach ${workdir}: ${above} may not be passed through by others (chmod o+x, or another GATEWAY_AGENT_WORKDIR)`,
      );
    }
    if (above === dirname(above)) return;
  }
}
