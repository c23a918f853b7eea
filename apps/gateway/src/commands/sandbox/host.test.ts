import { describe, expect, it } from 'vitest';
import { SMALL, shell } from '../testing/run.ts';
import { areTakeable, type HostView, sandboxOptions } from './host.ts';

const HOST: HostView = {
  system: [
    { path: '/bin', link: 'usr/bin' },
    { path: '/lib64', link: null },
  ],
  settings: ['/etc/ld.so.cache'],
  masked: ['/proc/keys'],
  readable: ['/opt/tools'],
  files: '/srv/session/.sandbox',
};
const variables = new Map([
  ['PATH', '/opt/tools/bin'],
  ['LEVEL', '7'],
]);
const options = sandboxOptions(HOST, SMALL, '/srv/session/one', shell('true', { variables }));
const after = (option: string, count: number) => {
  const at = options.indexOf(option);
  return options.slice(at + 1, at + 1 + count);
};

describe('the options of a sandbox', () => {
  it('share no namespace with the host', () => {
    expect(options).toEqual(
      expect.arrayContaining(['user', 'ipc', 'pid', 'net', 'uts', 'cgroup'].map((name) => `--unshare-${name}`)),
    );
    expect(options.filter((option) => option.startsWith('--share') || option.endsWith('-try'))).toEqual([]);
  });
  it('let exactly one directory of the host be written', () => {
    const binds = options.flatMap((option, at) =>
      /^--(dev-)?bind$/.test(option) ? [options.slice(at + 1, at + 3)] : [],
    );
    expect(binds).toEqual([['/srv/session/one', '/workspace']]);
  });
  it('close the root last', () => {
    expect(options.slice(-2)).toEqual(['--remount-ro', '/']);
  });
  it('clear the environment before they set it, and the caller’s values win', () => {
    expect(options.indexOf('--clearenv')).toBeLessThan(options.indexOf('--setenv'));
    const set = options.flatMap((option, at) => (option === '--setenv' ? [options.slice(at + 1, at + 3)] : []));
    expect(set.filter(([name]) => name === 'PATH')).toEqual([['PATH', '/opt/tools/bin']]);
    expect(set).toContainEqual(['LEVEL', '7']);
  });
  it('show the host as it is laid out', () => {
    expect(after('--symlink', 2)).toEqual(['usr/bin', '/bin']);
    const shown = options.flatMap((option, at) => (option === '--ro-bind' ? [options.slice(at + 1, at + 3)] : []));
    expect(shown).toEqual([
      ['/usr', '/usr'],
      ['/lib64', '/lib64'],
      ['/etc/ld.so.cache', '/etc/ld.so.cache'],
      ['/opt/tools', '/opt/tools'],
      ...['passwd', 'group', 'hosts'].map((name) => [`/srv/session/.sandbox/${name}`, `/etc/${name}`]),
      ['/dev/null', '/proc/keys'],
    ]);
  });
  it('die with the gateway, own no terminal, have no capability, load the filter', () => {
    expect(options).toEqual(expect.arrayContaining(['--die-with-parent', '--new-session']));
    expect(after('--cap-drop', 1)).toEqual(['ALL']);
    expect(after('--seccomp', 1)).toEqual(['3']);
  });
});

describe('the variables of a command', () => {
  const takeable = (given: readonly (readonly [string, string])[]) => {
    const command = shell('true', { variables: new Map(given) });
    return areTakeable(sandboxOptions(HOST, SMALL, '/srv/session/one', command), command);
  };
  const many = (count: number) => Array.from({ length: count }, (_, index) => [`V${index}`, ''] as const);

  it('are accepted up to the lengths that bubblewrap and the system accept', () => {
    expect([takeable(many(2900)), takeable(many(3000))]).toEqual([true, false]);
    const longest = 2 ** 17 - 'A'.length - 2;
    expect([takeable([['A', 'x'.repeat(longest)]]), takeable([['A', 'x'.repeat(longest + 1)]])]).toEqual([true, false]);
    expect(takeable([['A', 'é'.repeat(2 ** 16)]])).toBe(false);
  });
});
