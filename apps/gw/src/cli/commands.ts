import type { Command } from './command/command.ts';

/**
 * The commands in addition to the session itself, as `gw --help` lists them. To add one: a folder below `cli/` whose
 * `command.ts` exports a `Command` made with `defineCommand`, and a line here.
 */
export interface Listed {
  readonly name: string;
  readonly group: 'Sessions' | 'Account and policy' | 'Repository' | 'Records and support' | 'hidden';
  /** One line, lower case. */
  readonly about: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly Listed[] = [
  {
    name: 'pr',
    group: 'Repository',
    about: 'turn your changes into a pull request',
    load: async () => (await import('./pr/command.ts')).pr,
  },
  {
    name: 'ls',
    group: 'Sessions',
    about: 'list sessions, and pick one to continue',
    load: async () => (await import('./ls/command.ts')).ls,
  },
  {
    name: 'serve',
    group: 'Sessions',
    about: 'serve a session over HTTP on this machine',
    load: async () => (await import('./serve/command.ts')).serve,
  },
  {
    name: 'remote',
    group: 'Sessions',
    about: 'join a session that gw serve runs',
    load: async () => (await import('./remote/command.ts')).remote,
  },
  {
    name: 'remote-test',
    group: 'Sessions',
    about: 'test whether an instance of gw serve answers',
    load: async () => (await import('./remote-test/command.ts')).remoteTest,
  },
  {
    name: 'acp',
    group: 'Sessions',
    about: 'run the agent inside an editor (Agent Client Protocol)',
    load: async () => (await import('./acp/command.ts')).acp,
  },
  {
    name: 'verify',
    group: 'Records and support',
    about: 'verify a signed release bundle offline',
    load: async () => (await import('./verify/command.ts')).verify,
  },
  {
    name: 'login',
    group: 'Account and policy',
    about: 'sign in to a gateway',
    load: async () => (await import('./login/command.ts')).login,
  },
  {
    name: 'logout',
    group: 'Account and policy',
    about: 'sign out of a gateway',
    load: async () => (await import('./logout/command.ts')).logout,
  },
  {
    name: 'map',
    group: 'Repository',
    about: 'draw the imports of this repository',
    load: async () => (await import('./map/command.ts')).map,
  },
  {
    name: 'course',
    group: 'Repository',
    about: 'follow, review, check or draft a course about this repository',
    load: async () => (await import('./course/command.ts')).course,
  },
  {
    name: 'replay',
    group: 'Records and support',
    about: 'show what a session did, and verify its record',
    load: async () => (await import('./replay/command.ts')).replay,
  },
  {
    name: 'purge',
    group: 'Records and support',
    about: 'remove old entries from all records',
    load: async () => (await import('./purge/command.ts')).purge,
  },
  {
    name: 'diagnose',
    group: 'Records and support',
    about: 'write a local diagnostic report; nothing is sent',
    load: async () => (await import('./diagnose/command.ts')).diagnose,
  },
  {
    name: 'policy',
    group: 'Account and policy',
    about: 'show the policy of your organization',
    load: async () => (await import('./policy/command.ts')).policy,
  },
  {
    name: 'trust',
    group: 'Account and policy',
    about: 'show what this project adds, and agree to it or not',
    load: async () => (await import('./trust/command.ts')).trust,
  },
  {
    name: 'completion',
    group: 'hidden',
    about: 'print a completion script for a shell',
    load: async () => (await import('./completion/command.ts')).completionOf(COMMANDS),
  },
];
