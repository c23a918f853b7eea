import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SMALL } from '../testing/run.ts';
import { ControlGroups, type Hierarchy } from './control-groups.ts';

/** A number that no process has: above the kernel's limit. */
const ENDED = 4_194_305;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-groups-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A hierarchy on plain directories; it controls nothing, so no interface files are needed. */
function hierarchy(name: string): Hierarchy {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  return { version: 2, directory, resources: [] };
}

describe('control groups of earlier gateways', () => {
  it('are removed where the gateway has ended, and nothing else is', () => {
    const { directory } = hierarchy('own');
    const kept = [`gateway-command-${process.ppid}-running`, 'gateway-command-x', 'system.slice', 'gateway'];
    const busy = `gateway-command-${ENDED}-busy`;
    for (const name of [...kept, busy, `gateway-command-${ENDED}-one`, `gateway-command-${ENDED}-two`])
      mkdirSync(join(directory, name));
    mkdirSync(join(directory, busy, 'a process has not ended'));
    ControlGroups.among([hierarchy('own')]);
    expect(readdirSync(directory).toSorted()).toEqual([...kept, busy].toSorted());
  });
});

describe('a hierarchy', () => {
  it('that is not there, or is no directory, is not used, and the others are', async () => {
    writeFileSync(join(folder, 'file'), '');
    const absent: Hierarchy = { version: 2, directory: join(folder, 'group (deleted)'), resources: ['memory'] };
    const file: Hierarchy = { version: 1, directory: join(folder, 'file'), resources: ['cpu'] };
    const groups = ControlGroups.among([absent, file, hierarchy('usable')]);
    expect(groups.resources).toEqual([]);
    const { entrances } = await groups.create('one', SMALL);
    expect(entrances).toEqual([join(folder, 'usable', `gateway-command-${process.pid}-one`, 'cgroup.procs')]);
  });

  it('is left as it was by the trial', () => {
    const { directory } = hierarchy('own');
    ControlGroups.among([hierarchy('own')]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('the groups of a command', () => {
  it('are in each hierarchy, and are removed with it', async () => {
    const all = [hierarchy('one'), hierarchy('other')];
    const groups = await ControlGroups.among(all).create('command', SMALL);
    const made = all.map(({ directory }) => join(directory, `gateway-command-${process.pid}-command`));
    expect(made.map((path) => existsSync(path))).toEqual([true, true]);
    expect(await groups.outOfMemory()).toBe(false);
    await groups.remove();
    await groups.remove(); // a second time is no fault
    expect(made.map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('that cannot be made in one hierarchy are left in none', async () => {
    const [one, other] = [hierarchy('one'), hierarchy('other')];
    const groups = ControlGroups.among([one, other]);
    rmSync(other.directory, { recursive: true });
    await expect(groups.create('command', SMALL)).rejects.toThrow('ENOENT');
    expect(readdirSync(one.directory)).toEqual([]);
  });

  it('of many commands at once do not disturb each other', async () => {
    const own = hierarchy('own');
    const groups = ControlGroups.among([own]);
    const all = await Promise.all(Array.from({ length: 50 }, (_, nth) => groups.create(`c${nth}`, SMALL)));
    expect(new Set(all.flatMap(({ entrances }) => entrances)).size).toBe(50);
    await Promise.all(all.map((one) => one.remove()));
    expect(readdirSync(own.directory)).toEqual([]);
  });
});
