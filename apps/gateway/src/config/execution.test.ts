import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reading } from '@gateway/configuration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED_LIMITS, readExecution } from './execution.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateway-configuration-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const read = (environment: Record<string, string>) => {
  const reading = new Reading(environment);
  return { execution: readExecution(reading), faults: reading.faults };
};
const launch = (more: Record<string, string> = {}) =>
  read({ GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_AGENT_WORKDIR: directory, ...more });

describe('how agent commands run', () => {
  it('is not at all, by default', () => {
    expect(read({})).toEqual({ execution: null, faults: [] });
    expect(read({ GATEWAY_AGENT_WORKDIR: directory })).toEqual({ execution: null, faults: [] });
  });
  it('is by a launcher in a directory, within limits', () => {
    expect(launch()).toEqual({
      execution: {
        launcher: 'process',
        workdir: directory,
        commands: 16,
        limits: {
          ...FIXED_LIMITS,
          duration: 1_800_000,
          output: 128 * 2 ** 20,
          disk: 2048 * 2 ** 20,
          subjectDisk: 8192 * 2 ** 20,
          memory: 2048 * 2 ** 20,
          processes: 256,
          processors: 2,
        },
        user: 60_999,
        users: 185,
        readable: [],
      },
      faults: [],
    });
  });
  it('is within the limits that were set', () => {
    const { execution, faults } = launch({
      GATEWAY_AGENT_LAUNCHER: 'bubblewrap',
      GATEWAY_AGENT_MAX_COMMANDS: '200',
      GATEWAY_AGENT_TIMEOUT_SECONDS: '60',
      GATEWAY_AGENT_OUTPUT_MIB: '1',
      GATEWAY_AGENT_DISK_MIB: '2',
      GATEWAY_AGENT_SUBJECT_DISK_MIB: '3',
      GATEWAY_AGENT_USER_IDS: '7',
      GATEWAY_AGENT_MEMORY_MIB: '64',
      GATEWAY_AGENT_PROCESSES: '32',
      GATEWAY_AGENT_PROCESSORS: '4',
      GATEWAY_AGENT_USER_ID: '70000',
      GATEWAY_AGENT_READABLE: '/usr/lib:/usr/share:',
    });
    expect(faults).toEqual([]);
    expect(execution).toMatchObject({
      launcher: 'bubblewrap',
      commands: 200,
      limits: {
        duration: 60_000,
        output: 2 ** 20,
        disk: 2 * 2 ** 20,
        subjectDisk: 3 * 2 ** 20,
        memory: 64 * 2 ** 20,
        processes: 32,
        processors: 4,
      },
      user: 70_000,
      users: 7,
      readable: ['/usr/lib', '/usr/share'],
    });
  });
  it.each(['docker', 'Bubblewrap', 'none'])('is refused by a launcher that is not offered: %s', (name) => {
    expect(launch({ GATEWAY_AGENT_LAUNCHER: name })).toEqual({
      execution: null,
      faults: [`GATEWAY_AGENT_LAUNCHER: must be bubblewrap or process, not "${name}".`],
    });
  });
  // refusals-27
  it('is refused without a directory, and both variables are named', () => {
    const { faults } = read({ GATEWAY_AGENT_LAUNCHER: 'process' });
    expect(faults).toEqual([
      expect.stringMatching(/^GATEWAY_AGENT_WORKDIR: is not set although GATEWAY_AGENT_LAUNCHER is/),
    ]);
  });
  it('is refused with a directory that is none, or cannot be used', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o777);
    expect(launch({ GATEWAY_AGENT_WORKDIR: file }).faults[0]).toMatch(/^GATEWAY_AGENT_WORKDIR: is not a directory/);
    expect(launch({ GATEWAY_AGENT_WORKDIR: join(directory, 'none') }).faults[0]).toMatch(
      /^GATEWAY_AGENT_WORKDIR: .*ENOENT/,
    );
  });
  it('reports every fault at once', () => {
    const { faults } = launch({
      GATEWAY_AGENT_LAUNCHER: 'x',
      GATEWAY_AGENT_WORKDIR: '',
      GATEWAY_AGENT_MAX_COMMANDS: '0',
      GATEWAY_AGENT_MEMORY_MIB: 'much',
      GATEWAY_AGENT_READABLE: 'relative:/no/such',
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'GATEWAY_AGENT_LAUNCHER',
      'GATEWAY_AGENT_MEMORY_MIB',
      'GATEWAY_AGENT_MAX_COMMANDS',
      'GATEWAY_AGENT_WORKDIR',
      'GATEWAY_AGENT_READABLE',
      'GATEWAY_AGENT_READABLE',
    ]);
  });
  it.each(['1', '0', 'much', '1048577'])(
    'is refused where a subject may use less than a session, or too much: %s',
    (limit) => {
      const { faults } = launch({ GATEWAY_AGENT_DISK_MIB: '2', GATEWAY_AGENT_SUBJECT_DISK_MIB: limit });
      expect(faults).toEqual([
        expect.stringMatching(/^GATEWAY_AGENT_SUBJECT_DISK_MIB: must be a whole number .*\(2\)/),
      ]);
    },
  );
  it('shows no session the directories of the others', () => {
    const [above, below, link] = [join(directory, '..'), join(directory, 'below'), `${directory}-link`];
    mkdirSync(below);
    symlinkSync(directory, link);
    for (const path of [directory, `${directory}/`, above, below, link, '/']) {
      expect(launch({ GATEWAY_AGENT_READABLE: path }).faults).toEqual([
        expect.stringMatching(/^GATEWAY_AGENT_READABLE: would show the sessions' directories/),
      ]);
    }
    expect(launch({ GATEWAY_AGENT_READABLE: '/usr/share' }).faults).toEqual([]);
    mkdirSync(`${directory}-other`);
    expect(launch({ GATEWAY_AGENT_READABLE: `${directory}-other` }).faults).toEqual([]);
    for (const path of [link, `${directory}-other`]) rmSync(path, { recursive: true });
  });
});
