import { COMMANDS } from './commands.ts';
import { examplesSection, joinSections, optionsSection, section } from './help.ts';
import { USAGE } from './session/command.ts';

const GROUPS = ['Sessions', 'Repository', 'Account and policy', 'Records and support'] as const;

/** Columns that the brief form needs. */
const BRIEF_COLUMNS = 80;

/** `gw --help`: the options of a session and every command, in groups; in narrower windows, one below the other. */
export function overview(columns: number | null): string {
  if (columns === null || columns >= BRIEF_COLUMNS) return briefHelp();
  return joinSections(columns, [
    [USAGE.purpose],
    ['Usage: gw [options] [prompt]', '       gw <command> [options]'],
    ...GROUPS.map((group) =>
      section(
        `${group}:`,
        COMMANDS.filter((one) => one.group === group).map(({ name, about }) => [name, about] as const),
        columns,
      ),
    ),
    optionsSection('Options:', [...USAGE.options, { long: '--help', short: '-h', about: 'show this help' }], columns),
    ...(USAGE.notes ?? []).map((note) => [note]),
    examplesSection(USAGE, columns),
    ['Help of a command: gw <command> --help'],
  ]);
}

/** Columns of the left half. */
const LEFT = 38;

/** What each command does, in at most 22 characters. */
const COMMAND_WORDS: Readonly<Record<string, string>> = {
  ls: 'list, continue one',
  serve: 'serve one over HTTP',
  remote: 'join a served one',
  'remote-test': 'test that it answers',
  acp: 'run inside an editor',
  pr: 'open a pull request',
  map: 'draw what imports what',
  course: 'learn this repository',
  login: 'sign in to a gateway',
  logout: 'sign out',
  policy: 'show the policy',
  trust: 'agree to a project',
  replay: 'show what was done',
  purge: 'remove old records',
  verify: 'verify a release',
  diagnose: 'write a report',
};

/** What each option of a session does, in at most 23 characters; `*` may be repeated. */
const OPTION_WORDS: readonly (readonly [names: string, does: string])[] = [
  ['-p, --print', 'print the answer, exit'],
  ['--format <format>', 'JSON result; with -p'],
  ['--silent', 'drop <think>; with -p'],
  ['--resume', 'continue the latest'],
  ['--fork <session>', 'begin with a copy'],
  ['--config <path>', 'use and trust this file'],
  ['--org <slug>', 'organization; with -p'],
  ['--readonly', 'change nothing (plan)'],
  ['--auto', 'allow unless excluded'],
  ['--verbose', 'details on stderr'],
  ['--beta-status-tool', 'offer the Status tool'],
  ['--rule <rule>', 'add a rule *'],
  ['--mcp <server>, --image <file>', 'add one *'],
  ['--model <name>', 'start with this model'],
  ['--prompt <prompt>', 'add to the message *'],
  ['--max-turns <n>', 'most answers; with -p'],
  ['--allow, --ask, --exclude <tool>', 'rules *'],
  ['--agent <agent>', 'load an agent'],
  ['--add-dir <folder>', 'open it to file tools *'],
  ['-h, --help, -V, --version', ''],
];

/** `gw --help` in one screen of 80 columns and 24 rows: commands on the left, options of a session on the right. */
export function briefHelp(): string {
  const left = GROUPS.flatMap((group) => [
    group,
    ...COMMANDS.filter((one) => one.group === group).map(
      ({ name }) => `  ${name.padEnd(12)} ${COMMAND_WORDS[name] ?? ''}`,
    ),
  ]);
  const right = OPTION_WORDS.map(([names, does]) => `${names.padEnd(18)} ${does}`);
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${(left[at] ?? '').padEnd(LEFT)}${right[at] ?? ''}`.trimEnd(),
  );
  return [
    'Usage: gw [options] [prompt]   gw <command> [options]   gw <command> --help',
    ...rows,
    `Example: ${(USAGE.examples[1]?.line ?? '').padEnd(LEFT + 14)} (* repeatable)`,
    'Exit code: 0 done, 1 failed, 2 wrong usage, 3 a tool denied, 4 gateway refused',
    '',
  ].join('\n');
}
