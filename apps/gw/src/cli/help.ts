import { wrap } from '../process/pluralize.ts';
import type { Option, Usage } from './command/command.ts';

/** Columns of a help text that is not shown in a terminal. */
const USUAL_WIDTH = 80;
const HELP: Option = { long: '--help', short: '-h', about: 'show this help' };

/** A line of a list in a help text. */
type Row = readonly [term: string, about: string];

/** The help of one command. */
export function commandHelp(usage: Usage, columns: number | null): string {
  const positionals = (usage.positionals ?? []).map(({ name }) => ` ${name}`).join('');
  return joinSections(columns, [
    [usage.purpose],
    [`Usage: ${usage.name} [options]${positionals}`],
    section(
      'Arguments:',
      (usage.positionals ?? []).map(({ name, about }): Row => [name, about]),
      columns,
    ),
    optionsSection('Options:', [...usage.options, HELP], columns),
    ...(usage.notes ?? []).map((note) => [note]),
    examplesSection(usage, columns),
  ]);
}

export function optionsSection(title: string, options: readonly Option[], columns: number | null): readonly string[] {
  return section(title, options.map(optionRow), columns);
}

function optionRow({ long, short, value, repeatable, about }: Option): Row {
  const name = `${short === undefined ? '' : `${short}, `}${long}${value === undefined ? '' : ` ${value}`}`;
  return [name, repeatable === true ? `${about}; repeatable` : about];
}

export function examplesSection({ examples }: Usage, columns: number | null): readonly string[] {
  return [
    'Examples:',
    ...examples.flatMap(({ line, does }) => [`  ${line}`, wrap(`      ${does}`, widthOf(columns), 6)]),
  ];
}

/** A title and rows in two columns. Where the terms are long, what they mean starts on the next line. */
export function section(title: string, rows: readonly Row[], columns: number | null): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.min(26, Math.max(...rows.map(([term]) => term.length)));
  return [
    title,
    ...rows.map(([term, about]) => {
      const indentation = width + 4;
      const line = wrap(`${' '.repeat(indentation)}${about}`, widthOf(columns), indentation);
      return term.length > width ? `  ${term}\n${line}` : `  ${term.padEnd(width)}  ${line.slice(indentation)}`;
    }),
  ];
}

/** Sections with a blank line between, each line within the columns. */
export function joinSections(columns: number | null, sections: readonly (readonly string[])[]): string {
  const texts = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => (line.startsWith(' ') ? line : wrap(line, widthOf(columns)))).join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function widthOf(columns: number | null): number {
  return columns ?? USUAL_WIDTH;
}
