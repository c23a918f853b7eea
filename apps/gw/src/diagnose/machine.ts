import type { Terminal } from '../process/context.ts';
import type { Machine } from '../process/machine.ts';
import { LEAST_NODE, VERSION } from '../process/product.ts';
import type { Line, Probe } from './probe.ts';

/** No client existed before this: an earlier clock is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);

export interface MachineFacts extends Machine {
  readonly client: string;
  readonly clock: string;
}

export function machineFacts({ machine, now, redaction, find }: Probe): MachineFacts {
  const clock = now();
  if (Number(machine.node.split('.')[0]) < LEAST_NODE) {
    find({
      what: redaction.format`Node ${machine.node} is older than this client needs.`,
      where: 'the program node',
      fix: redaction.format`Install Node ${LEAST_NODE} or newer.`,
    });
  }
  if (clock.getTime() < EARLIEST) {
    find({
      what: 'The clock is wrong. Tokens and certificates are judged by it.',
      where: redaction.format`the clock, which says ${clock.toISOString()}`,
      fix: 'Set it, or have it set from the network.',
    });
  }
  return { client: VERSION, ...machine, clock: clock.toISOString() };
}

export function machineLines(facts: MachineFacts): readonly Line[] {
  return [
    ['Client', `gw ${facts.client}`],
    ['Node', facts.node],
    ['System', `${facts.platform} ${facts.release} (${facts.build}), ${facts.architecture}`],
    ['Clock', `${facts.clock}, time zone ${facts.timeZone}`],
  ];
}

export interface TerminalFacts extends Omit<Terminal, 'write' | 'report' | 'readAll' | 'readHidden' | 'ask'> {
  /** Variables that affect the terminal, as set. */
  readonly variables: Readonly<Record<string, string>>;
  readonly unicode: boolean;
}

const VARIABLES = [
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM',
  'NO_COLOR',
  'FORCE_COLOR',
  'LC_ALL',
  'LC_CTYPE',
  'LANG',
] as const;

export function terminalFacts({ terminal, environment, machine, find }: Probe): TerminalFacts {
  const set = VARIABLES.flatMap((name) => {
    const value = environment.variables.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const locale = set.find(([name]) => name.startsWith('L'))?.[1];
  const unicode = machine.platform === 'win32' || /utf-?8/i.test(locale ?? '');
  if (terminal.output && !unicode) {
    find({
      grade: 'hint',
      what: 'The locale does not say UTF-8, so that signs beyond ASCII may be shown wrongly.',
      where: locale === undefined ? 'LC_ALL, LC_CTYPE and LANG, none of which is set' : 'LC_ALL, LC_CTYPE or LANG',
      fix: 'Set LANG to a locale that is installed (locale -a) and ends in UTF-8, C.UTF-8 for instance.',
    });
  }
  const { input, output, error, columns, rows, colors }: Terminal = terminal;
  return { input, output, error, columns, rows, colors, variables: Object.fromEntries(set), unicode };
}

export function terminalLines(facts: TerminalFacts): readonly Line[] {
  const watched = (['input', 'output', 'error'] as const).filter((stream) => facts[stream]);
  const size =
    facts.columns === null ? 'none' : `${facts.columns} columns, ${facts.rows ?? '?'} rows, ${facts.colors} colours`;
  return [
    ['Terminal at', watched.length === 0 ? 'no standard stream' : `standard ${watched.join(', ')}`],
    ['Size', size],
    ['Encoding', facts.unicode ? 'UTF-8' : 'not UTF-8 by the locale'],
    ...Object.entries(facts.variables),
  ];
}
