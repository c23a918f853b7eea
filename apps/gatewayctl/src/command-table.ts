import { AUTHOR, type Entry, EXPIRES, PERIOD, PROJECT, PRUNE, PUBLIC_KEY, REASONED } from './context/entry.ts';
import { LIMIT } from './context/list.ts';

/** The database, and access: roles, projects, accounts, revocations. */
export const ACCESS_COMMANDS: readonly Entry[] = [
  {
    usage: 'migrate',
    description: 'apply the pending migrations of the database',
    options: [
      ['--check', 'say what this version needs, and change nothing; exit code 3 where migrations are pending'],
      ['--status', 'list the migrations and whether each is applied'],
      ['--baseline <number>', 'record all migrations as applied without running them, once'],
    ],
    run: async (context, _, options) => (await import('./commands/migrate.ts')).runMigrate(context, options),
  },
  {
    usage: 'grant [subject] [role] [author]',
    description: 'give a subject a role: grant SUBJECT ROLE AUTHOR, or grant --file FILE.csv AUTHOR',
    options: [
      PROJECT,
      ['--file <file>', 'give the roles of a CSV file with the columns subject,role,project; all of them or none'],
      ['--keep-going', 'with --file: leave out the refused lines, and give the others'],
    ],
    run: async (context, words, options) => (await import('./commands/grant.ts')).runGrant(context, words, options),
  },
  {
    usage: 'revoke-role <subject> <role> <author>',
    description: 'take a role from a subject',
    options: [PROJECT],
    run: async (context, [subject = '', role = '', author = ''], options) =>
      (await import('./commands/roles.ts')).runRevokeRole(context, subject, role, author, options),
  },
  {
    usage: 'roles [subject]',
    description: 'list the roles of a subject, or of all subjects',
    options: [LIMIT],
    run: async (context, [subject], options) =>
      (await import('./commands/roles.ts')).runRoles(context, subject, options),
  },
  {
    usage: 'project add <project> <subject>',
    description: 'make a subject a member of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('./commands/project.ts')).runProjectAdd(context, project, subject, options),
  },
  {
    usage: 'project remove <project> <subject>',
    description: 'take a subject out of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('./commands/project.ts')).runProjectRemove(context, project, subject, options),
  },
  {
    usage: 'project members <project>',
    description: 'list the members of a project',
    options: [LIMIT],
    run: async (context, [project = ''], options) =>
      (await import('./commands/project.ts')).runProjectMembers(context, project, options),
  },
  {
    usage: 'account create <name>',
    description: 'create a local account and show its key, once',
    options: [
      AUTHOR,
      ['--plan <slug>', 'the plan it is put on (hosted profile)'],
      ['--display-name <text>', 'a readable name'],
      ['--email <address>', 'an address'],
      ['--label <text>', 'what the key is for', 'first'],
      EXPIRES,
    ],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account.ts')).runAccountCreate(context, name, options),
  },
  {
    usage: 'account list',
    description: 'list the accounts',
    options: [LIMIT],
    run: async (context, _, options) => (await import('./commands/account.ts')).runAccountList(context, options),
  },
  {
    usage: 'account disable <name>',
    description: 'refuse an account from its next call on',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account.ts')).runAccountEnabled(context, name, false, options),
  },
  {
    usage: 'account enable <name>',
    description: 'serve a disabled account again',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account.ts')).runAccountEnabled(context, name, true, options),
  },
  {
    usage: 'account rotate-key <name>',
    description: 'issue a new key, shown once, and revoke those in force',
    options: [AUTHOR, ['--label <text>', 'what the key is for', 'rotated'], EXPIRES],
    run: async (context, [name = ''], options) =>
      (await import('./commands/account.ts')).runAccountRotateKey(context, name, options),
  },
  {
    usage: 'subject revoke <subject>',
    description: 'put a subject on the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('./commands/subject.ts')).runSubjectRevoke(context, subject, options),
  },
  {
    usage: 'subject lift <subject>',
    description: 'take a subject off the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('./commands/subject.ts')).runSubjectLift(context, subject, options),
  },
  {
    usage: 'session revoke <session>',
    description: 'revoke an agent session and its sub-agents',
    required: REASONED,
    run: async (context, [session = ''], options) =>
      (await import('./commands/subject.ts')).runSessionRevoke(context, session, options),
  },
  {
    usage: 'session standing <session>',
    description: 'say whether an agent session is in force or revoked',
    run: async (context, [session = '']) =>
      (await import('./commands/subject.ts')).runSessionStanding(context, session),
  },
];

/** The authorization policy and the license. */
export const POLICY_COMMANDS: readonly Entry[] = [
  {
    usage: 'policy check <file>',
    description: 'say whether a policy set may be installed, and where it is wrong',
    run: async (context, [file = '']) => (await import('./commands/policy.ts')).runPolicyCheck(context, file),
  },
  {
    usage: 'policy explain <subject> <permission> <resource>',
    description: 'say whether a subject may, and which policy refuses (endpoint:NAME, project:NAME or instance)',
    options: [
      ['--file <file>', 'ask this policy set instead of the one in force'],
      ['--session <session>', 'the agent session the call would name'],
      ['--method <method>', 'its HTTP method', 'POST'],
      ['--path <path>', 'its target, with its query'],
      ['--source-address <address>', 'the address it would come from', '127.0.0.1'],
      ['--at <instant>', 'the time it would be made (default: now)'],
    ],
    run: async (context, args, options) =>
      (await import('./commands/policy.ts')).runPolicyExplain(context, args, options),
  },
  {
    usage: 'policy install <file>',
    description: 'put a policy set in force, as the console does',
    options: [AUTHOR],
    run: async (context, [file = ''], options) =>
      (await import('./commands/policy.ts')).runPolicyInstall(context, file, options),
  },
  {
    usage: 'policy lift',
    description: 'lift every restriction: put a revision without any policy in force',
    options: [AUTHOR],
    run: async (context, _, options) => (await import('./commands/policy.ts')).runPolicyLift(context, options),
  },
  {
    usage: 'policy show',
    description: 'print the authorization policy in force',
    run: async (context) => (await import('./commands/policy.ts')).runPolicyShow(context),
  },
  {
    usage: 'license issue',
    description: "sign a license with the vendor's private key",
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
    run: async (context, _, options) => (await import('./commands/license.ts')).runLicenseIssue(context, options),
  },
  {
    usage: 'license show [file]',
    description: 'print a license and its state',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('./commands/license.ts')).runLicenseShow(context, file, options),
  },
  {
    usage: 'license verify [file]',
    description: 'say whether a gateway of this build would start with a license',
    options: [PUBLIC_KEY],
    run: async (context, [file], options) =>
      (await import('./commands/license.ts')).runLicenseVerify(context, file, options),
  },
];

/** Organizations, providers, and the configuration as a file. */
export const INSTANCE_COMMANDS: readonly Entry[] = [
  {
    usage: 'organization create <slug> <name>',
    description: 'create an organization whose policy can be served',
    options: [AUTHOR],
    run: async (context, [slug = '', name = ''], options) =>
      (await import('./commands/organization.ts')).runOrganizationCreate(context, slug, name, options),
  },
  {
    usage: 'organization list',
    description: 'list the organizations',
    options: [LIMIT],
    run: async (context, _, options) =>
      (await import('./commands/organization.ts')).runOrganizationList(context, options),
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
      (await import('./commands/organization.ts')).runOrganizationPolicyInstall(context, slug, file, options),
  },
  {
    usage: 'organization policy show <slug>',
    description: 'print the policy an organization imposes',
    run: async (context, [slug = '']) =>
      (await import('./commands/organization.ts')).runOrganizationPolicyShow(context, slug),
  },
  {
    usage: 'provider test <slug>',
    description: 'let a gateway ask an engine for its models, with the key that only the gateway has',
    options: [AUTHOR],
    run: async (context, [slug = ''], options) =>
      (await import('./commands/provider.ts')).runProviderTest(context, slug, options),
  },
  {
    usage: 'provider keys',
    description: 'list which key variables of the providers each gateway has: names, never values',
    options: [LIMIT],
    run: async (context, _, options) => (await import('./commands/provider.ts')).runProviderKeys(context, options),
  },
  {
    usage: 'export',
    description: 'print the configuration of the instance as YAML: what apply takes',
    run: async (context) => (await import('./commands/apply.ts')).runExport(context),
  },
  {
    usage: 'diff <file>',
    description: 'show what apply would change (exit code 3 where something differs)',
    options: [PRUNE],
    run: async (context, [file = ''], options) => (await import('./commands/apply.ts')).runDiff(context, file, options),
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
      (await import('./commands/apply.ts')).runApply(context, file, options),
  },
  {
    usage: 'schema',
    description: 'print the JSON schema of configuration files, for editors',
    run: async (context) => (await import('./commands/apply.ts')).runSchema(context),
  },
];

const LOG = ['--log <name>', 'decisions (default) or administration'] as const;
const ONE_LOG = ['--log <name>', 'only this log: decisions or administration'] as const;
const CHAIN = ['--chain <name>', 'older name of --log'] as const;
const OUT = ['--out <file>', 'write the proof there'] as const;
const ARCHIVE = [
  '--archive <file...>',
  'archives of the decision log with entries that are no longer in the database',
] as const;

/** Usage, the journal, archives of logs, and the search for secrets. */
export const LOG_COMMANDS: readonly Entry[] = [
  {
    usage: 'usage',
    description: 'sum calls, tokens and times',
    options: [['--by <kind>', 'by endpoint, model or subject', 'endpoint'], ...PERIOD],
    run: async (context, _, options) => (await import('./commands/decisions.ts')).runUsage(context, options),
  },
  {
    usage: 'decisions',
    description: 'search the decision log, the newest first',
    options: [
      ['--subject <name>', 'of this subject'],
      ['--outcome <outcome>', 'granted or refused'],
      ['--reason <code>', 'with this reason, for example role-missing'],
      ...PERIOD,
      ['--limit <number>', 'show at most this many', '50'],
    ],
    run: async (context, _, options) => (await import('./commands/decisions.ts')).runDecisions(context, options),
  },
  {
    usage: 'journal verify',
    description: 'verify both logs: chain, content and signatures',
    options: [
      ['--public-key <file...>', 'of the endorsed keys, trust only these'],
      ['--since <checkpoint>', 'a checkpoint kept elsewhere: finds a truncated, restored, forked or re-signed log'],
      ['--archive <file...>', 'verify these archives of the decision log too, which go before the database'],
      ['--export <file...>', 'verify what journal export wrote, without the database; needs --public-key'],
      ['--after <sequence>', 'what journal export --after was given'],
      ONE_LOG,
      CHAIN,
    ],
    run: async (context, _, options) => (await import('./commands/journal.ts')).runJournalVerify(context, options),
  },
  {
    usage: 'journal export',
    description: 'write a log as JSON lines, with digests and seals',
    options: [
      LOG,
      CHAIN,
      ['--after <sequence>', 'only the entries after this one'],
      ['--output <file>', 'write there instead of to standard output'],
    ],
    run: async (context, _, options) =>
      (await import('./commands/journal-export.ts')).runJournalExport(context, options),
  },
  {
    usage: 'journal checkpoint',
    description: 'write a signed note with the end of both logs, to keep elsewhere',
    options: [
      ['--note', 'size and root of the tree of one log instead, as C2SP tlog-checkpoint has them'],
      ['--output <file>', 'write the note there instead of to standard output'],
      ['--log <name>', 'decisions or administration: with --note, decisions by default'],
      CHAIN,
    ],
    run: async (context, _, options) =>
      (await import('./commands/journal-export.ts')).runJournalCheckpoint(context, options),
  },
  {
    usage: 'journal keys',
    description: 'print the endorsed public keys that sealed the logs',
    options: [['--note', 'in note form, for journal check and for witnesses'], LOG, CHAIN],
    run: async (context, _, options) => (await import('./commands/journal.ts')).runJournalKeys(context, options),
  },
  {
    usage: 'journal prove',
    description: 'write entries with the proof that they are in the log, to verify without the database',
    options: [
      ['--entry <sequence>', 'the entry with this sequence'],
      ['--id <id>', 'the entry with this id'],
      ['--request-id <id>', 'the entries of the call with this request id'],
      ['--subject <name>', 'all entries of this subject; in the administration log, of this author'],
      ['--from <instant>', 'with --subject: from then on, 2027-01-31 or 2027-01-31T08:00:00Z'],
      ['--until <instant>', 'with --subject: before then'],
      ['--rest <file>', 'with --subject: write the digests of all entries of the period there'],
      ARCHIVE,
      LOG,
      CHAIN,
    ],
    required: [OUT],
    run: async (context, _, options) => (await import('./commands/journal-prove.ts')).runJournalProve(context, options),
  },
  {
    usage: 'journal check <file>',
    description: 'verify a file of journal prove or journal consistency, without database and network',
    options: [
      ['--key <note-key...>', 'a key that journal keys --note prints, or a file with such keys'],
      ['--public-key <file...>', 'a file with keys in PEM, as journal keys prints them'],
      ['--rest <file>', 'what journal prove --rest wrote: shows how many entries of the period the file leaves out'],
      ['--log <name>', 'the log that the file must be of: decisions or administration'],
      CHAIN,
    ],
    run: async (context, args, options) =>
      (await import('./commands/journal-check.ts')).runJournalCheck(context, args, options),
  },
  {
    usage: 'journal consistency <old> [new]',
    description: 'write the proof that a log only grew between two checkpoints in note form',
    options: [['--log <name>', 'the log that the checkpoints must be of: decisions or administration'], CHAIN],
    required: [OUT],
    run: async (context, args, options) =>
      (await import('./commands/journal-proofs.ts')).runJournalConsistency(context, args, options),
  },
  {
    usage: 'journal tree',
    description: 'show size and root of the tree of each log',
    options: [
      ['--verify', 'compute it again from the entries, and compare every stored tile'],
      ['--rebuild', 'replace the stored tiles by those of the entries'],
      ARCHIVE,
      ONE_LOG,
      CHAIN,
    ],
    run: async (context, _, options) => (await import('./commands/journal-proofs.ts')).runJournalTree(context, options),
  },
  {
    usage: 'journal witness',
    description: 'cosign checkpoints that continue the log, over HTTP, until it is stopped',
    options: [['--name <name>', 'name of the witness (default: the one in its key file, or witness.local)']],
    required: [
      ['--listen <address>', 'address and port, for example 127.0.0.1:7380'],
      ['--state <directory>', 'keeps the last checkpoint of each log; created where absent'],
      ['--log <note-key...>', 'a key of a log, as journal keys --note prints it, or a file with such keys'],
      ['--key <file>', 'private key of the witness: Ed25519, PEM or in note form'],
    ],
    run: async (context, _, options) =>
      (await import('./commands/journal-witness.ts')).runJournalWitness(context, options),
  },
  {
    usage: 'journal keys endorse <fingerprint>',
    description: 'accept what a registered key signs',
    options: [AUTHOR],
    run: async (context, [fingerprint = ''], options) =>
      (await import('./commands/journal.ts')).runEndorse(context, fingerprint, options),
  },
  {
    usage: 'retention [log] [months]',
    description: 'show or set the retention of each log',
    options: [AUTHOR],
    run: async (context, args, options) =>
      (await import('./commands/retention.ts')).runRetention(context, args, options),
  },
  {
    usage: 'archive',
    description: 'move entries that are past their retention from the database to files',
    options: [
      ['--directory <directory>', 'write the files there, one a log and month'],
      ['--list', 'list the files so far, and move nothing'],
      AUTHOR,
    ],
    run: async (context, _, options) => (await import('./commands/archive.ts')).runArchive(context, options),
  },
  {
    usage: 'archive-verify <file...>',
    description: 'verify files of archive with their manifests, without the database',
    required: [['--public-key <file...>', 'the keys to trust, as journal keys prints them']],
    run: async (context, files, options) =>
      (await import('./commands/archive.ts')).runArchiveVerify(context, files, options),
  },
  {
    usage: 'secrets scan <file...>',
    description: 'show what secret detection would find in files: position and kind, never the value',
    options: [
      ['--no-entropy', 'leave out generated values that only a name announces'],
      ['--show-digests', 'add the digest of each value, for the allow list of a policy'],
    ],
    run: async (context, files, options) =>
      (await import('./commands/secrets.ts')).runSecretsScan(context, files, options),
  },
  {
    usage: 'secrets rules',
    description: 'list the rules of secret detection with their sources',
    options: [LIMIT],
    run: async (context, _, options) => (await import('./commands/secrets.ts')).runSecretsRules(context, options),
  },
];
