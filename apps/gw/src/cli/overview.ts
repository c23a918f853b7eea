import { briefHelp } from './brief-help.ts';
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
