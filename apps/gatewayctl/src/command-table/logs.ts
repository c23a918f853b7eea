import { AUTHOR, type Entry, PERIOD } from '../context/entry.ts';
import { LIMIT } from '../context/list.ts';

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
    run: async (context, _, options) => (await import('../commands/usage.ts')).runUsage(context, options),
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
    run: async (context, _, options) => (await import('../commands/decisions.ts')).runDecisions(context, options),
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
    run: async (context, _, options) =>
      (await import('../commands/journal-verify.ts')).runJournalVerify(context, options),
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
      (await import('../commands/journal-export.ts')).runJournalExport(context, options),
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
      (await import('../commands/journal-export.ts')).runJournalCheckpoint(context, options),
  },
  {
    usage: 'journal keys',
    description: 'print the endorsed public keys that sealed the logs',
    options: [['--note', 'in note form, for journal check and for witnesses'], LOG, CHAIN],
    run: async (context, _, options) =>
      (await import('../commands/journal-verify.ts')).runJournalKeys(context, options),
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
    run: async (context, _, options) =>
      (await import('../commands/journal-prove.ts')).runJournalProve(context, options),
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
      (await import('../commands/journal-check.ts')).runJournalCheck(context, args, options),
  },
  {
    usage: 'journal consistency <old> [new]',
    description: 'write the proof that a log only grew between two checkpoints in note form',
    options: [['--log <name>', 'the log that the checkpoints must be of: decisions or administration'], CHAIN],
    required: [OUT],
    run: async (context, args, options) =>
      (await import('../commands/journal-consistency.ts')).runJournalConsistency(context, args, options),
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
    run: async (context, _, options) =>
      (await import('../commands/journal-consistency.ts')).runJournalTree(context, options),
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
      (await import('../commands/journal-witness.ts')).runJournalWitness(context, options),
  },
  {
    usage: 'journal keys endorse <fingerprint>',
    description: 'accept what a registered key signs',
    options: [AUTHOR],
    run: async (context, [fingerprint = ''], options) =>
      (await import('../commands/journal-verify.ts')).runEndorse(context, fingerprint, options),
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
      (await import('../commands/archive.ts')).runArchiveVerify(context, files, options),
  },
  {
    usage: 'secrets scan <file...>',
    description: 'show what secret detection would find in files: position and kind, never the value',
    options: [
      ['--no-entropy', 'leave out generated values that only a name announces'],
      ['--show-digests', 'add the digest of each value, for the allow list of a policy'],
    ],
    run: async (context, files, options) =>
      (await import('../commands/secrets.ts')).runSecretsScan(context, files, options),
  },
  {
    usage: 'secrets rules',
    description: 'list the rules of secret detection with their sources',
    options: [LIMIT],
    run: async (context, _, options) => (await import('../commands/secrets.ts')).runSecretsRules(context, options),
  },
];
