import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDelegated, versionOneHierarchies, versionTwoDirectory } from './control-groups.ts';

const MOUNTS = `
29 23 0:25 / /sys/fs/cgroup/unified rw,relatime shared:4 - cgroup2 cgroup2 rw
30 23 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:5 - cgroup cgroup rw,cpu,cpuacct
31 23 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
32 23 0:28 /docker/abc /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
33 23 0:29 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
`;
const MEMBERSHIP = `9:name=systemd:/user.slice
8:pids:/docker/abc
7:freezer:/
4:memory:/process/one
1:cpu,cpuacct:/user.slice
0::/user.slice/session
`;

describe('the hierarchies of version 1', () => {
  it('are found at the gateway’s own group', () => {
    expect(versionOneHierarchies(MEMBERSHIP, MOUNTS)).toEqual([
      { version: 1, directory: '/sys/fs/cgroup/pids', resources: ['pids'] },
      { version: 1, directory: '/sys/fs/cgroup/memory/process/one', resources: ['memory'] },
      { version: 1, directory: '/sys/fs/cgroup/cpu,cpuacct/user.slice', resources: ['cpu'] },
    ]);
  });
  it('are empty where none is mounted, or none controls our resources', () => {
    expect(versionOneHierarchies(MEMBERSHIP, '')).toEqual([]);
    expect(versionOneHierarchies('7:freezer:/\n', MOUNTS)).toEqual([]);
    expect(versionOneHierarchies('', MOUNTS)).toEqual([]);
  });
  it('start at the mount where the gateway’s group is outside of it', () => {
    expect(versionOneHierarchies('8:pids:/elsewhere\n', MOUNTS)[0]?.directory).toBe('/sys/fs/cgroup/pids');
  });
});

describe('the hierarchy of version 2', () => {
  it('is found at the gateway’s own group', () => {
    expect(versionTwoDirectory(MEMBERSHIP, MOUNTS)).toBe('/sys/fs/cgroup/unified/user.slice/session');
  });
  it('is the mount itself in a container with a namespace of its own', () => {
    expect(versionTwoDirectory('0::/\n', '40 30 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw')).toBe('/sys/fs/cgroup');
  });
  it('is absent without an entry', () => {
    expect(versionTwoDirectory('1:cpu:/\n', MOUNTS)).toBeNull();
    expect(versionTwoDirectory(MEMBERSHIP, '')).toBeNull();
  });
});

/** The interface files of a group, as plain ones; toolchain/test-control-groups-v2.sh tests with a kernel's. */
describe('the group of the gateway in version 2', () => {
  let group: string;
  beforeEach(() => {
    group = mkdtempSync(join(tmpdir(), 'gateway-group-'));
    writeFileSync(join(group, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  });
  afterEach(() => rmSync(group, { recursive: true, force: true }));
  const read = (...names: string[]) => readFileSync(join(group, ...names), 'utf8');

  it('hands its controllers on where it may', () => {
    expect(readDelegated(group)).toEqual({ version: 2, directory: group, resources: ['memory', 'pids', 'cpu'] });
    expect(read('cgroup.subtree_control')).toBe('+memory +pids +cpu');
  });
  it('delegates only the controllers it received', () => {
    writeFileSync(join(group, 'cgroup.controllers'), 'pids hugetlb\n');
    expect(readDelegated(group)?.resources).toEqual(['pids']);
    expect(read('cgroup.subtree_control')).toBe('+pids');
  });
  it('is left for one below it where it may hand nothing on while the gateway is in it', () => {
    symlinkSync('gateway/handed', join(group, 'cgroup.subtree_control')); // cannot be written before `gateway` is there
    expect(readDelegated(group)).toMatchObject({ directory: group });
    expect(read('gateway', 'cgroup.procs')).toBe(`${process.pid}\n`);
  });
  it('is left by the gateway’s ancestors, too, if no other process is in it', () => {
    symlinkSync('gateway/handed', join(group, 'cgroup.subtree_control'));
    writeFileSync(join(group, 'cgroup.procs'), `1\n${process.pid}\n77\n`);
    expect(readDelegated(group, [process.pid, 77, 1])).toMatchObject({ directory: group });
    expect(read('gateway', 'cgroup.procs')).toBe(`1\n77\n${process.pid}\n`);
  });
  it.each([78, 0])('is left by no other process where a stranger is in it: %i', (stranger) => {
    symlinkSync('gateway/handed', join(group, 'cgroup.subtree_control'));
    writeFileSync(join(group, 'cgroup.procs'), `1\n${process.pid}\n${stranger}\n`);
    readDelegated(group, [process.pid, 77, 1]);
    expect(read('gateway', 'cgroup.procs')).toBe(`${process.pid}\n`);
  });
  it('is entered again where other processes are in it, and then limits nothing', () => {
    mkdirSync(join(group, 'cgroup.subtree_control')); // can never be written
    expect(readDelegated(group)).toBeNull();
    expect(read('cgroup.procs')).toBe(`${process.pid}\n`);
  });
  it.each([[''], ['hugetlb misc\n']])('limits nothing with the controllers %j', (controllers) => {
    writeFileSync(join(group, 'cgroup.controllers'), controllers);
    expect(readDelegated(group)).toBeNull();
    expect(readDelegated(join(group, 'elsewhere'))).toBeNull();
  });
});
