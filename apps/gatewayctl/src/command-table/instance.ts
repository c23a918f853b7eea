import { AUTHOR, type Entry, PRUNE } from '../context/entry.ts';
import { LIMIT } from '../context/list.ts';

/** Organizations, providers, and the configuration as a file. */
export const INSTANCE_COMMANDS: readonly Entry[] = [
  {
    usage: 'organization create <slug> <name>',
    description: 'create an organization whose policy can be served',
    options: [AUTHOR],
    run: async (context, [slug = '', name = ''], options) =>
      (await import('../commands/organization.ts')).runOrganizationCreate(context, slug, name, options),
  },
  {
    usage: 'organization list',
    description: 'list the organizations',
    options: [LIMIT],
    run: async (context, _, options) =>
      (await import('../commands/organization.ts')).runOrganizationList(context, options),
  },
  {
    usage: 'organization policy install <slug> <file>',
    description: 'impose a policy on the workstations of an organization, as the console does',
    options: [
      AUTHOR,
      ['--valid-from <instant>', 'the start of its validity (ISO 8601)'],
      ['--valid-until <instant>', 'the end of its validity (ISO 8601)'],
    ],
    run: async (context, [slug = '', file = ''], options) =>
      (await import('../commands/organization.ts')).runOrganizationPolicyInstall(context, slug, file, options),
  },
  {
    usage: 'organization policy show <slug>',
    description: 'print the policy an organization imposes',
    run: async (context, [slug = '']) =>
      (await import('../commands/organization.ts')).runOrganizationPolicyShow(context, slug),
  },
  {
    usage: 'provider test <slug>',
    description: 'let a gateway ask an engine for its models, with the key that only the gateway has',
    options: [AUTHOR],
    run: async (context, [slug = ''], options) =>
      (await import('../commands/provider.ts')).runProviderTest(context, slug, options),
  },
  {
    usage: 'provider keys',
    description: 'list which key variables of the providers each gateway has: names, never values',
    options: [LIMIT],
    run: async (context, _, options) => (await import('../commands/provider.ts')).runProviderKeys(context, options),
  },
  {
    usage: 'export',
    description: 'print the configuration of the instance as YAML: what apply takes',
    run: async (context) => (await import('../commands/apply.ts')).runExport(context),
  },
  {
    usage: 'diff <file>',
    description: 'show what apply would change (exit code 3 where something differs)',
    options: [PRUNE],
    run: async (context, [file = ''], options) =>
      (await import('../commands/apply.ts')).runDiff(context, file, options),
  },
  {
    usage: 'apply <file>',
    description: 'make the instance what a configuration file says, in one transaction',
    options: [
      AUTHOR,
      PRUNE,
      ['--dry-run', 'do everything, then undo it: what the database refuses is found too'],
      ['--force', 'accept prices above 0.01 euros per token'],
    ],
    run: async (context, [file = ''], options) =>
      (await import('../commands/apply.ts')).runApply(context, file, options),
  },
  {
    usage: 'schema',
    description: 'print the JSON schema of configuration files, for editors',
    run: async (context) => (await import('../commands/apply.ts')).runSchema(context),
  },
];
