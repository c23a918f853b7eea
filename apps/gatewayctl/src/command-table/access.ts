import { AUTHOR, type Entry, EXPIRES, PROJECT, REASONED } from '../context/entry.ts';
import { LIMIT } from '../context/list.ts';

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
    run: async (context, _, options) => (await import('../commands/migrate.ts')).runMigrate(context, options),
  },
  {
    usage: 'grant [subject] [role] [author]',
    description: 'give a subject a role: grant SUBJECT ROLE AUTHOR, or grant --file FILE.csv AUTHOR',
    options: [
      PROJECT,
      ['--file <file>', 'give the roles of a CSV file with the columns subject,role,project; all of them or none'],
      ['--keep-going', 'with --file: leave out the refused lines, and give the others'],
    ],
    run: async (context, words, options) => (await import('../commands/grant.ts')).runGrant(context, words, options),
  },
  {
    usage: 'revoke-role <subject> <role> <author>',
    description: 'take a role from a subject',
    options: [PROJECT],
    run: async (context, [subject = '', role = '', author = ''], options) =>
      (await import('../commands/roles.ts')).runRevokeRole(context, subject, role, author, options),
  },
  {
    usage: 'roles [subject]',
    description: 'list the roles of a subject, or of all subjects',
    options: [LIMIT],
    run: async (context, [subject], options) =>
      (await import('../commands/roles.ts')).runRoles(context, subject, options),
  },
  {
    usage: 'project add <project> <subject>',
    description: 'make a subject a member of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('../commands/project.ts')).runProjectAdd(context, project, subject, options),
  },
  {
    usage: 'project remove <project> <subject>',
    description: 'take a subject out of a project',
    options: [AUTHOR],
    run: async (context, [project = '', subject = ''], options) =>
      (await import('../commands/project.ts')).runProjectRemove(context, project, subject, options),
  },
  {
    usage: 'project members <project>',
    description: 'list the members of a project',
    options: [LIMIT],
    run: async (context, [project = ''], options) =>
      (await import('../commands/project.ts')).runProjectMembers(context, project, options),
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
      (await import('../commands/account.ts')).runAccountCreate(context, name, options),
  },
  {
    usage: 'account list',
    description: 'list the accounts',
    options: [LIMIT],
    run: async (context, _, options) => (await import('../commands/account.ts')).runAccountList(context, options),
  },
  {
    usage: 'account disable <name>',
    description: 'refuse an account from its next call on',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('../commands/account.ts')).runAccountEnabled(context, name, false, options),
  },
  {
    usage: 'account enable <name>',
    description: 'serve a disabled account again',
    options: [AUTHOR],
    run: async (context, [name = ''], options) =>
      (await import('../commands/account.ts')).runAccountEnabled(context, name, true, options),
  },
  {
    usage: 'account rotate-key <name>',
    description: 'issue a new key, shown once, and revoke those in force',
    options: [AUTHOR, ['--label <text>', 'what the key is for', 'rotated'], EXPIRES],
    run: async (context, [name = ''], options) =>
      (await import('../commands/account.ts')).runAccountRotateKey(context, name, options),
  },
  {
    usage: 'subject revoke <subject>',
    description: 'put a subject on the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('../commands/subject.ts')).runSubjectRevoke(context, subject, options),
  },
  {
    usage: 'subject lift <subject>',
    description: 'take a subject off the revocation list',
    required: REASONED,
    run: async (context, [subject = ''], options) =>
      (await import('../commands/subject.ts')).runSubjectLift(context, subject, options),
  },
  {
    usage: 'session revoke <session>',
    description: 'revoke an agent session and its sub-agents',
    required: REASONED,
    run: async (context, [session = ''], options) =>
      (await import('../commands/subject.ts')).runSessionRevoke(context, session, options),
  },
  {
    usage: 'session standing <session>',
    description: 'say whether an agent session is in force or revoked',
    run: async (context, [session = '']) =>
      (await import('../commands/subject.ts')).runSessionStanding(context, session),
  },
];
