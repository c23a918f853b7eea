import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { lineageOf } from '../processes/descendants.ts';

export type Resource = 'memory' | 'pids' | 'cpu';
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
