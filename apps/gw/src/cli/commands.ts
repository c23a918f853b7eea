import type { Command } from './command/command.ts';

/**
 * The commands in addition to the session itself, as `gw --help` lists them. To add one: a file in `cli/commands/` that
 * exports a `Command` made with `defineCommand`, and a line here.
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
    load: async () => (await import('./commands/pr.ts')).pr,
  },
  {
    name: 'ls',
    group: 'Sessions',
    about: 'list sessions, and pick one to continue',
    load: async () => (await import('./commands/ls.ts')).ls,
  },
  {
    name: 'serve',
    group: 'Sessions',
    about: 'serve a session over HTTP on this machine',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'remote',
    group: 'Sessions',
    about: 'join a session that gw serve runs',
    load: async () => (await import('./commands/remote.ts')).remote,
  },
  {
    name: 'remote-test',
    group: 'Sessions',
    about: 'test whether an instance of gw serve answers',
    load: async () => (await import('./commands/remote.ts')).remoteTest,
  },
  {
    name: 'acp',
    group: 'Sessions',
    about: 'run the agent inside an editor (Agent Client Protocol)',
    load: async () => (await import('./commands/acp.ts')).acp,
  },
  {
    name: 'verify',
    group: 'Records and support',
    about: 'verify a signed release bundle offline',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'login',
    group: 'Account and policy',
    about: 'sign in to a gateway',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    group: 'Account and policy',
    about: 'sign out of a gateway',
    load: async () => (await import('./commands/login.ts')).logout,
  },
  {
    name: 'map',
    group: 'Repository',
    about: 'draw the imports of this repository',
    load: async () => (await import('./commands/map.ts')).map,
  },
  {
    name: 'course',
    group: 'Repository',
    about: 'follow, review, check or draft a course about this repository',
    load: async () => (await import('./commands/course.ts')).course,
  },
  {
    name: 'replay',
    group: 'Records and support',
    about: 'show what a session did, and verify its record',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'purge',
    group: 'Records and support',
    about: 'remove old entries from all records',
    load: async () => (await import('./commands/purge.ts')).purge,
  },
  {
    name: 'diagnose',
    group: 'Records and support',
    about: 'write a local diagnostic report; nothing is sent',
    load: async () => (await import('./commands/diagnose.ts')).diagnose,
  },
  {
    name: 'policy',
    group: 'Account and policy',
    about: 'show the policy of your organization',
    load: async () => (await import('./commands/policy.ts')).policy,
  },
  {
    name: 'trust',
    group: 'Account and policy',
    about: 'show what this project adds, and agree to it or not',
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'completion',
    group: 'hidden',
    about: 'print a completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  },
];
