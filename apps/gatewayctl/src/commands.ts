import { ACCESS_COMMANDS } from './command-table/access.ts';
import { INSTANCE_COMMANDS } from './command-table/instance.ts';
import { LOG_COMMANDS } from './command-table/logs.ts';
import { POLICY_COMMANDS } from './command-table/policy.ts';
import type { Entry } from './context/entry.ts';

/** The operator's commands (client-27), in the order the help shows them. */
export const COMMANDS: readonly Entry[] = [
  ...ACCESS_COMMANDS,
  ...INSTANCE_COMMANDS,
  ...LOG_COMMANDS,
  ...POLICY_COMMANDS,
  {
    usage: 'completion <shell>',
    description: 'print the script that completes commands in a shell: bash, zsh or fish',
    run: async (context, [shell = '']) =>
      (await import('./commands/completion.ts')).runCompletion(context, shell, COMMANDS),
  },
];

const GROUPS: Readonly<Record<string, string>> = {
  project: 'the members of a project',
  account: 'local accounts and their keys',
  subject: 'the revocation list of the instance',
  session: 'agent sessions',
  organization: 'organizations whose policy is served',
  provider: 'connections to engines',
  'organization policy': 'what an organization imposes on its workstations',
  journal: 'the decision log and the administration log',
  secrets: 'detection of secrets',
  policy: 'the authorization policy that narrows the role matrix',
  license: 'the license of an on-premise deployment',
};

/** What a group of commands is about; `path` is its names. */
export function groupOf(path: string): string {
  const description = GROUPS[path];
  if (description === undefined) throw new Error(`the group of commands ${path} has no description`);
  return description;
}
