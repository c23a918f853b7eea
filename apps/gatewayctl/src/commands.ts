import type { Context } from './context/context.ts';
import { LIMIT } from './output/list.ts';

const EXPIRES = [
  '--expires <instant>',
  'from when on the key is refused: 2027-01-31, or 2027-01-31T08:00:00Z',
] as const;

/** Everything a command of the table may do: it is loaded when it is called, so that each starts quickly. */
type Run = (context: Context, words: readonly string[], options: Record<string, never>) => Promise<void>;

/** One command: how it is called, and what it does. */
interface Entry {
  /** Group and name, then the arguments as commander writes them. */
  readonly usage: string;
  readonly says: string;
  readonly options?: readonly (readonly [flags: string, says: string, fallback?: string])[];
  /** Options that must be given. */
  readonly required?: readonly (readonly [flags: string, says: string])[];
  readonly run: Run;
}

const AUTHOR = ['--author <name>', 'who does this, kept with it (default: user@machine)'] as const;
const PUBLIC_KEY = ['--public-key <file>', 'verify with this key instead of the one of this build'] as const;
const PRUNE = ['--prune', 'delete what the sections of the file do not list'] as const;
const PROJECT = ['--project <name>', 'the project, for the role that has one'] as const;
const REASONED = [
  ['--author <name>', 'who does this, kept with it'],
  ['--reason <text>', 'why, kept with it'],
] as const;

/** The operator's commands (client-27), in the order the help shows them. */
export const COMMANDS: readonly Entry[] = [
  {
    usage: 'migrate',
    says: 'apply the pending migrations of the database',
    options: [
      ['--check', 'say what this version needs, and change nothing; exit code 3 where migrations are pending'],
      ['--status', 'list the migrations and whether each is applied'],
      ['--baseline <number>', 'record all migrations as applied without running them, once'],
    ],
    run: async (context, _, options) => (await import('./commands/migrate.ts')).runMigrate(context, options),
  },
  {
    usage: 'grant <subject> <role> <author>',
    says: 'give a subject a role',
    options: [PROJECT],
    run: async (context, [subject = '', role = '', author = ''], options) =>
      (await import('./commands/grant.ts')).runGrant(context, subject, role, author, options),
  },
  {
    usage: 'revoke-role <subject> <role> <author>',
    says: 'take a role from a subject',
    options: [PROJECT],
    run: async (context, [subject = '', role = '', author = ''], options) =>
      (await import('./commands/revoke-role.ts')).runRevokeRole(context, subject, role, author, options),
  },
  {
    usage: 'roles [subject]',
    says: 'list the roles of a subject, or of everybody',
    options: [LIMIT],
    run: async (context, [subject], options) =>
      (await import('./commands/roles.ts')).runRoles(context, subject, options),
  },
  {
    usage: 'project add <project> <subject>',
    says: 'make a subject a member of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('./commands/project-add.ts')).runProjectAdd(context, project, subject, options),
  },
  {
    usage: 'project remove <project> <subject>',
    says: 'take a subject out of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('./commands/project-remove.ts')).runProjectRemove(context, project, subject, options),
  },
  {
    usage: 'project members <project>',
    says: 'list the members of a project',
    options: [LIMIT],
    run: async (context, [project = ''], options) =>
      (await import('./commands/project-members.ts')).runProjectMembers(context, project, options),
  },
  {
    usage: 'account create <name>',
    says: 'create a local account and show its key, once',
    options: [
      AUTHOR,
      ['--plan <slug>', 'the plan it is put on (hosted profile)'],
      ['--display-name <text>', 'a readable name'],
      ['--email <address>', 'an address'],
      ['--label <text>', 'what the key is for', 'first'],
      EXPIRES,
    ],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account-create.ts')).runAccountCreate(context, name, options as never),
  },
  {
    usage: 'account list',
    says: 'list the accounts',
    options: [LIMIT],
    run: async (context, _, options) => (await import('./commands/account-list.ts')).runAccountList(context, options),
  },
  {
    usage: 'account disable <name>',
    says: 'refuse an account from its next call on',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account-enabled.ts')).runAccountEnabled(context, name, false, options),
  },
  {
    usage: 'account enable <name>',
    says: 'serve a disabled account again',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account-enabled.ts')).runAccountEnabled(context, name, true, options),
  },
  {
    usage: 'account rotate-key <name>',
    says: 'issue a new key, shown once, and revoke those in force',
    options: [AUTHOR, ['--label <text>', 'what the key is for', 'rotated'], EXPIRES],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account-rotate-key.ts')).runAccountRotateKey(context, name, options as never),
  },
  {
    usage: 'subject revoke <subject>',
    says: 'put a subject on the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('./commands/subject-revoke.ts')).runSubjectRevoke(context, subject, options as never),
  },
  {
    usage: 'subject lift <subject>',
    says: 'take a subject off the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('./commands/subject-lift.ts')).runSubjectLift(context, subject, options as never),
  },
  {
    usage: 'session revoke <session>',
    says: 'revoke an agent session and its sub-agents',
    required: REASONED,
    run: async (context, [session = ''], options) =>
      (await import('./commands/session-revoke.ts')).runSessionRevoke(context, session, options as never),
  },
  {
    usage: 'session standing <session>',
    says: 'say whether an agent session is in force or revoked',
    run: async (context, [session = '']) =>
      (await import('./commands/session-standing.ts')).runSessionStanding(context, session),
  },
  {
    usage: 'organization create <slug> <name>',
    says: 'create an organization whose policy can be served',
    options: [AUTHOR],
    run: async (context, [slug = '', name = ''], options) =>
      (await import('./commands/organization-create.ts')).runOrganizationCreate(context, slug, name, options),
  },
  {
    usage: 'organization list',
    says: 'list the organizations',
    options: [LIMIT],
    run: async (context, _, options) =>
      (await import('./commands/organization-list.ts')).runOrganizationList(context, options),
  },
  {
    usage: 'organization policy install <slug> <file>',
    says: 'impose a policy on the workstations of an organization, as the console does',
    options: [
      AUTHOR,
      ['--valid-from <instant>', 'when it begins to hold (ISO 8601)'],
      ['--valid-until <instant>', 'when it ends to hold (ISO 8601)'],
    ],
    run: async (context, [slug = '', file = ''], options) =>
      (await import('./commands/organization-policy-install.ts')).runOrganizationPolicyInstall(
        context,
        slug,
        file,
        options,
      ),
  },
  {
    usage: 'organization policy show <slug>',
    says: 'print the policy an organization imposes',
    run: async (context, [slug = '']) =>
      (await import('./commands/organization-policy-show.ts')).runOrganizationPolicyShow(context, slug),
  },
  {
    usage: 'export',
    says: 'print the configuration of the instance as YAML: what apply takes',
    run: async (context) => (await import('./commands/export.ts')).runExport(context),
  },
  {
    usage: 'diff <file>',
    says: 'show what apply would change (exit code 3 where something differs)',
    options: [PRUNE],
    run: async (context, [file = ''], options) => (await import('./commands/diff.ts')).runDiff(context, file, options),
  },
  {
    usage: 'apply <file>',
    says: 'make the instance what a configuration file says, in one transaction',
    options: [AUTHOR, PRUNE, ['--dry-run', 'do everything, then undo it: what the database refuses is found too']],
    run: async (context, [file = ''], options) =>
      (await import('./commands/apply.ts')).runApply(context, file, options),
  },
  {
    usage: 'schema',
    says: 'print the JSON schema of configuration files, for editors',
    run: async (context) => (await import('./commands/schema.ts')).runSchema(context),
  },
  {
    usage: 'journal verify',
    says: 'verify both logs: chain, content and signatures',
    options: [
      ['--public-key <file...>', 'trust only these keys, not those registered in the database'],
      ['--since <checkpoint>', 'a checkpoint kept elsewhere: finds a truncated, restored, forked or re-signed log'],
      ['--archive <file...>', 'verify these archives of the decision log too, which go before the database'],
      ['--export <file...>', 'verify what journal export wrote, without the database; needs --public-key'],
      ['--after <sequence>', 'what journal export --after was given'],
    ],
    run: async (context, _, options) =>
      (await import('./commands/journal-verify.ts')).runJournalVerify(context, options),
  },
  {
    usage: 'journal export',
    says: 'write a log as JSON lines, with digests and seals',
    options: [
      ['--chain <name>', 'decisions (default) or actions'],
      ['--after <sequence>', 'only the entries after this one'],
      ['--output <file>', 'write there instead of to standard output'],
    ],
    run: async (context, _, options) =>
      (await import('./commands/journal-export.ts')).runJournalExport(context, options),
  },
  {
    usage: 'journal checkpoint',
    says: 'write a signed note with the end of both logs, to keep elsewhere',
    options: [['--output <file>', 'write the note there instead of to standard output']],
    run: async (context, _, options) =>
      (await import('./commands/journal-checkpoint.ts')).runJournalCheckpoint(context, options),
  },
  {
    usage: 'journal keys',
    says: 'print the public keys that sealed the logs',
    run: async (context) => (await import('./commands/journal-keys.ts')).runJournalKeys(context),
  },
  {
    usage: 'retention [log] [months]',
    says: 'show how long each log is kept, or set it',
    options: [AUTHOR],
    run: async (context, words, options) =>
      (await import('./commands/retention.ts')).runRetention(context, words, options),
  },
  {
    usage: 'archive',
    says: 'move entries that are past their retention from the database to files',
    options: [
      ['--directory <directory>', 'write the files there, one a log and month'],
      ['--list', 'list the files so far, and move nothing'],
      AUTHOR,
    ],
    run: async (context, _, options) => (await import('./commands/archive.ts')).runArchive(context, options),
  },
  {
    usage: 'archive-verify <file...>',
    says: 'verify files of archive with their manifests, without the database',
    required: [['--public-key <file...>', 'the keys to trust, as journal keys prints them']],
    run: async (context, files, options) =>
      (await import('./commands/archive-verify.ts')).runArchiveVerify(context, files, options as never),
  },
  {
    usage: 'secrets scan <file...>',
    says: 'show what secret detection would find in files: place and kind, never the value',
    options: [
      ['--no-entropy', 'leave out generated values that only a name announces'],
      ['--show-digests', 'add the digest that a policy’s allow list would hold for each value'],
    ],
    run: async (context, files, options) =>
      (await import('./commands/secrets-scan.ts')).runSecretsScan(context, files, options),
  },
  {
    usage: 'secrets rules',
    says: 'list the rules of secret detection with their sources',
    run: async (context) => (await import('./commands/secrets-rules.ts')).runSecretsRules(context),
  },
  {
    usage: 'policy check <file>',
    says: 'say whether a policy set may be installed, and where it is wrong',
    run: async (context, [file = '']) => (await import('./commands/policy-check.ts')).runPolicyCheck(context, file),
  },
  {
    usage: 'policy explain <subject> <permission> <resource>',
    says: 'say whether a subject may, and which policy refuses (endpoint:NAME, project:NAME or instance)',
    options: [
      ['--file <file>', 'ask this policy set instead of the one in force'],
      ['--session <session>', 'the agent session the call would name'],
      ['--method <method>', 'its HTTP method', 'POST'],
      ['--path <path>', 'its target, with its query'],
      ['--source-address <address>', 'the address it would come from', '127.0.0.1'],
      ['--at <instant>', 'the time it would be made (default: now)'],
    ],
    run: async (context, words, options) =>
      (await import('./commands/policy-explain.ts')).runPolicyExplain(context, words, options as never),
  },
  {
    usage: 'policy install <file>',
    says: 'put a policy set in force, as the console does',
    options: [AUTHOR],
    run: async (context, [file = ''], options) =>
      (await import('./commands/policy-install.ts')).runPolicyInstall(context, file, options),
  },
  {
    usage: 'policy lift',
    says: 'lift every restriction: put a revision without any policy in force',
    options: [AUTHOR],
    run: async (context, _, options) => (await import('./commands/policy-lift.ts')).runPolicyLift(context, options),
  },
  {
    usage: 'policy show',
    says: 'print the authorization policy in force',
    run: async (context) => (await import('./commands/policy-show.ts')).runPolicyShow(context),
  },
  {
    usage: 'license issue',
    says: "sign a license with the vendor's private key",
    required: [
      ['--licensee <name>', 'who it is for'],
      ['--deployment <name>', 'which deployment of theirs'],
      ['--signing-key <file>', "the vendor's Ed25519 private key (PEM)"],
    ],
    options: [
      ['--seats <number>', 'subjects served in a month, or unlimited', 'unlimited'],
      ['--capability <name...>', 'inference, agent-execution, workstation-control (default: all)'],
      ['--days <number>', 'how long it runs from now', '365'],
      ['--grace-days <number>', 'how long everything is still served after its end', '14'],
    ],
    run: async (context, _, options) =>
      (await import('./commands/license-issue.ts')).runLicenseIssue(context, options as never),
  },
  {
    usage: 'license show [file]',
    says: 'print a license and its state',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('./commands/license-show.ts')).runLicenseShow(context, file, options),
  },
  {
    usage: 'license verify [file]',
    says: 'say whether a gateway of this build would start with a license',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('./commands/license-verify.ts')).runLicenseVerify(context, file, options),
  },
];

const GROUPS: Readonly<Record<string, string>> = {
  project: 'who belongs to a project',
  account: 'local accounts and their keys',
  subject: 'the revocation list of the instance',
  session: 'agent sessions',
  organization: 'organizations whose policy is served',
  'organization policy': 'what an organization imposes on its workstations',
  journal: 'the decision log and the administration log',
  secrets: 'detection of secrets',
  policy: 'the authorization policy that narrows the role matrix',
  license: 'the license of an on-premise deployment',
};

/** What a group of commands is about; `path` is its names. */
export function groupOf(path: string): string {
  const says = GROUPS[path];
  if (says === undefined) throw new Error(`a group of commands that nothing describes: ${path}`);
  return says;
}
