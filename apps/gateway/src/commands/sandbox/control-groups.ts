import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import type { CommandLimits } from '../../config/execution.ts';
import { processRuns } from '../../process/report.ts';
import { lineageOf } from '../processes.ts';

/** The gateway's process id is part of the name, to identify leftovers of a gateway that has ended. */
const nameOf = (pid: number, identifier: string) => `gateway-command-${pid}-${identifier}`;
const NAME = /^gateway-command-(\d+)-/;

const CPU_PERIOD = 100_000; // microseconds

/** One command's groups: made before it starts, entered by its first process, removed after its end. */
export interface CommandGroups {
  /** Files a process writes `0` to, in order to enter. */
  readonly entrances: readonly string[];
  /** Whether the kernel ended a process of the command because memory ran out. */
  outOfMemory(): Promise<boolean>;
  remove(): Promise<void>;
}

/** File and value of each limit, by hierarchy version (kernel documentation: cgroup-v1, cgroup-v2). */
function settings(
  resource: Resource,
  version: 1 | 2,
  limits: CommandLimits,
): readonly (readonly [string, string, 'optional'?])[] {
  const quota = Math.round(limits.processors * CPU_PERIOD);
  if (resource === 'pids') return [['pids.max', String(limits.processes)]];
  if (resource === 'cpu') {
    return version === 2
      ? [['cpu.max', `${quota} ${CPU_PERIOD}`]]
      : [
          ['cpu.cfs_period_us', String(CPU_PERIOD)],
          ['cpu.cfs_quota_us', String(quota)],
        ];
  }
  // Swap would only make the same memory slower; the kernel may be built without its accounting.
  return version === 2
    ? [
        ['memory.max', String(limits.memory)],
        ['memory.swap.max', '0', 'optional'],
      ]
    : [
        ['memory.limit_in_bytes', String(limits.memory)],
        ['memory.memsw.limit_in_bytes', String(limits.memory), 'optional'],
      ];
}

/** Limits over all processes of a command together, where the host allows the gateway to set them. */
export class ControlGroups {
  readonly #hierarchies: readonly Hierarchy[];

  private constructor(hierarchies: readonly Hierarchy[]) {
    this.#hierarchies = hierarchies;
  }

  /** The usable hierarchies among those on the host. Removes leftovers of an earlier gateway. */
  static among(found: readonly Hierarchy[]): ControlGroups {
    return new ControlGroups(found.filter(isUsable));
  }

  get resources(): readonly Resource[] {
    return this.#hierarchies.flatMap(({ resources }) => resources);
  }

  async create(identifier: string, limits: CommandLimits): Promise<CommandGroups> {
    const groups = this.#hierarchies.map((hierarchy) => ({
      ...hierarchy,
      directory: join(hierarchy.directory, nameOf(process.pid, identifier)),
    }));
    const remove = async () => {
      await Promise.all(groups.map(({ directory }) => removeGroup(directory)));
    };
    try {
      await Promise.all(groups.map((group) => makeGroup(group, limits)));
    } catch (error) {
      await remove();
      throw error;
    }
    return {
      entrances: groups.map(({ directory }) => join(directory, 'cgroup.procs')),
      outOfMemory: async () => (await Promise.all(groups.map(wasKilledForMemory))).includes(true),
      remove,
    };
  }
}

async function makeGroup({ directory, version, resources }: Hierarchy, limits: CommandLimits): Promise<void> {
  await mkdir(directory);
  for (const [file, value, optional] of resources.flatMap((resource) => settings(resource, version, limits))) {
    const written = writeFile(join(directory, file), value);
    await (optional === undefined ? written : written.catch(() => {}));
  }
}

async function wasKilledForMemory({ directory, version, resources }: Hierarchy): Promise<boolean> {
  if (!resources.includes('memory')) return false;
  const text = await readFile(join(directory, version === 2 ? 'memory.events' : 'memory.oom_control'), 'utf8').catch(
    () => '',
  );
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
}

/** The last process may leave the group shortly after it has been waited for. */
async function removeGroup(directory: string): Promise<void> {
  for (let pause = 1; pause <= 1024; pause *= 2) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      if (errorCode(error) !== 'EBUSY') return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function isUsable({ directory, version, resources }: Hierarchy): boolean {
  const trial = join(directory, nameOf(process.pid, 'trial'));
  try {
    removeLeftovers(directory);
    mkdirSync(trial);
  } catch {
    return false;
  }
  try {
    const limits = { memory: 2 ** 30, processes: 64, processors: 1 } as CommandLimits;
    for (const [file, value, optional] of resources.flatMap((resource) => settings(resource, version, limits))) {
      if (optional === undefined) writeFileSync(join(trial, file), value);
    }
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(trial);
  }
}

/** Groups of commands whose gateway was killed: empty by now, for its sandboxes died with it. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined || processRuns(Number(owner))) continue;
    try {
      rmdirSync(join(directory, name));
    } catch {
      // A process of that command has not ended yet: the next start tries again.
    }
  }
}

type Resource = 'memory' | 'pids' | 'cpu';
export const RESOURCES: readonly Resource[] = ['memory', 'pids', 'cpu'];

/** A control group hierarchy of this process, with the directory where it may make groups. */
export interface Hierarchy {
  readonly version: 1 | 2;
  readonly directory: string;
  readonly resources: readonly Resource[];
}

/**
 * The gateway's group in each version 1 hierarchy that controls a resource we limit.
 * @param membership text of `/proc/self/cgroup` @param mounts text of `/proc/self/mountinfo`
 */
export function versionOneHierarchies(membership: string, mounts: string): readonly Hierarchy[] {
  return membership.split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]+):(.*)$/.exec(line) ?? [];
    const resources = RESOURCES.filter((resource) => controllers.split(',').includes(resource));
    const [first] = resources;
    const mount = mountsOf(mounts).find(
      ({ type, options }) => type === 'cgroup' && first !== undefined && options.includes(first),
    );
    return mount === undefined ? [] : [{ version: 1, directory: placeUnder(mount, path), resources }];
  });
}

/** The gateway's group in the version 2 hierarchy, or null. */
export function versionTwoDirectory(membership: string, mounts: string): string | null {
  const path = /^0::(.*)$/m.exec(membership)?.[1];
  const mount = mountsOf(mounts).find(({ type }) => type === 'cgroup2');
  return path === undefined || mount === undefined ? null : placeUnder(mount, path);
}

interface Mount {
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** Lines of mountinfo (man proc): id, parent, device, root, mount point, options, optional fields, `-`, type, source, super options. */
function mountsOf(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root, point] = left.split(' ');
    const [type, , options = ''] = right.split(' ');
    return root === undefined || point === undefined || type === undefined
      ? []
      : [{ root, point, type, options: options.split(',') }];
  });
}

/** A container often sees only a part of the hierarchy mounted. */
function placeUnder({ root, point }: Mount, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith('..') ? point : join(point, inside);
}

/**
 * Delegates the controllers of the version 2 hierarchy to groups below the gateway's own. A group that delegates may contain no
 * process, so the gateway and its ancestors, such as a container's init, first move to a group of their own. If other processes
 * remain in the old one, they move back. Null where the gateway may not change the hierarchy.
 * @param family the gateway and its ancestor processes
 */
export function readDelegated(directory: string, family: readonly number[] = lineageOf(process.pid)): Hierarchy | null {
  const resources = readResources(directory);
  if (resources.length === 0) return null;
  const hierarchy = { version: 2, directory, resources } as const;
  if (handsOn(hierarchy)) return hierarchy;
  const own = join(directory, 'gateway');
  try {
    const inside = membersOf(directory).filter((pid) => pid !== process.pid);
    const moving = inside.every((pid) => family.includes(pid)) ? [...inside, process.pid] : [process.pid];
    mkdirSync(own, { recursive: true });
    enter(own, moving);
    if (handsOn(hierarchy)) return hierarchy;
    enter(directory, moving);
    rmdirSync(own);
  } catch {
    // A group that may not be made, entered or removed is not the gateway's.
  }
  return null;
}

function readResources(directory: string): readonly Resource[] {
  try {
    const offered = readFileSync(join(directory, 'cgroup.controllers'), 'utf8').trim().split(' ');
    return RESOURCES.filter((resource) => offered.includes(resource));
  } catch {
    return [];
  }
}

function handsOn({ directory, resources }: Hierarchy): boolean {
  try {
    writeFileSync(join(directory, 'cgroup.subtree_control'), resources.map((resource) => `+${resource}`).join(' '));
    return true;
  } catch {
    return false;
  }
}

/** One process a write, as the kernel takes them. */
function enter(group: string, pids: readonly number[]): void {
  for (const pid of pids) appendFileSync(join(group, 'cgroup.procs'), `${pid}\n`);
}

/** Processes of a group; 0 for one that this process cannot see. */
function membersOf(group: string): readonly number[] {
  const path = join(group, 'cgroup.procs');
  return existsSync(path) ? (readFileSync(path, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
}

/** Every hierarchy of this host that could limit a command. */
export function findHierarchies(): readonly Hierarchy[] {
  let membership: string;
  let mounts: string;
  try {
    membership = readFileSync('/proc/self/cgroup', 'utf8');
    mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  const first = versionOneHierarchies(membership, mounts);
  const directory = versionTwoDirectory(membership, mounts);
  const second = directory === null || first.length > 0 ? null : readDelegated(directory);
  return second === null ? first : [second];
}
