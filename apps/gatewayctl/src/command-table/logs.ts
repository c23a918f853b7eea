import { LIMIT } from '../output/list.ts';
import { AUTHOR, type Entry } from './entry.ts';

/** The journal, archives of logs, and the search for secrets. */
export const LOG_COMMANDS: readonly Entry[] = [
  {
    usage: 'journal verify',
    description: 'verify both logs: chain, content and signatures',
    options: [
      ['--public-key <file...>', 'trust only these keys, not those registered in the database'],
      ['--since <checkpoint>', 'a checkpoint kept elsewhere: finds a truncated, restored, forked or re-signed log'],
      ['--archive <file...>', 'verify these archives of the decision log too, which go before the database'],
      ['--export <file...>', 'verify what journal export wrote, without the database; needs --public-key'],
      ['--after <sequence>', 'what journal export --after was given'],
    ],
    run: async (context, _, options) =>
      (await import('../commands/journal-verify.ts')).runJournalVerify(context, options),
  },
  {
    usage: 'journal export',
    description: 'write a log as JSON lines, with digests and seals',
    options: [
      ['--chain <name>', 'decisions (default) or actions'],
      ['--after <sequence>', 'only the entries after this one'],
      ['--output <file>', 'write there instead of to standard output'],
    ],
    run: async (context, _, options) =>
      (await import('../commands/journal-export.ts')).runJournalExport(context, options),
  },
  {
    usage: 'journal checkpoint',
    description: 'write a signed note with the end of both logs, to keep elsewhere',
    options: [['--output <file>', 'write the note there instead of to standard output']],
    run: async (context, _, options) =>
      (await import('../commands/journal-checkpoint.ts')).runJournalCheckpoint(context, options),
  },
  {
    usage: 'journal keys',
    description: 'print the public keys that sealed the logs',
    run: async (context) => (await import('../commands/journal-keys.ts')).runJournalKeys(context),
  },
  {
    usage: 'retention [log] [months]',
    description: 'show or set the retention of each log',
    options: [AUTHOR],
    run: async (context, args, options) =>
      (await import('../commands/retention.ts')).runRetention(context, args, options),
  },
  {
    usage: 'archive',
    description: 'move entries that are past their retention from the database to files',
    options: [
      ['--directory <directory>', 'write the files there, one a log and month'],
      ['--list', 'list the files so far, and move nothing'],
      AUTHOR,
    ],
    run: async (context, _, options) => (await import('../commands/archive.ts')).runArchive(context, options),
  },
  {
    usage: 'archive-verify <file...>',
    description: 'verify files of archive with their manifests, without the database',
    required: [['--public-key <file...>', 'the keys to trust, as journal keys prints them']],
    run: async (context, files, options) =>
      (await import('../commands/archive-verify.ts')).runArchiveVerify(context, files, options),
  },
  {
    usage: 'secrets scan <file...>',
    description: 'show what secret detection would find in files: position and kind, never the value',
    options: [
      ['--no-entropy', 'leave out generated values that only a name announces'],
      ['--show-digests', 'add the digest of each value, for the allow list of a policy'],
    ],
    run: async (context, files, options) =>
      (await import('../commands/secrets-scan.ts')).runSecretsScan(context, files, options),
  },
  {
    usage: 'secrets rules',
    description: 'list the rules of secret detection with their sources',
    options: [LIMIT],
    run: async (context, _, options) =>
      (await import('../commands/secrets-rules.ts')).runSecretsRules(context, options),
  },
];
