import { isKeyName } from '@gateway/ledger';
import { type Environment, printable, type Reading, type Variable } from './reading.ts';

const FORMATS = ['plain', 'timed', 'json'] as const;

/** The form of a line for the operator: as text alone, after its time and level, or as a JSON object. */
export type LogFormat = (typeof FORMATS)[number];

/** `error`: something failed. `warning`: an operator should look at it. `info`: an event of interest to an operator. */
export type Level = 'error' | 'warning' | 'info';

export const LOG_FORMAT: Variable = {
  name: 'GATEWAY_LOG_FORMAT',
  form: 'plain, timed or json',
  fallback: 'plain where standard error is a terminal, else timed',
  effect:
    'How lines are written to standard error. plain: only text, for a service manager that adds the time. timed: after time (UTC) and level. json: one object per line with time, level, program and message.',
};

/** Adds a fault where the variable is no known format. */
export function checkLogFormat(reading: Reading): void {
  const text = reading.text(LOG_FORMAT);
  if (text !== null && !isFormat(text))
    reading.fault(LOG_FORMAT, `must be ${LOG_FORMAT.form}, not ${printable(text)}.`);
}

/** The format in force, also for the lines that name the faults of a configuration. */
export function logFormatOf(environment: Environment, isTerminal: boolean): LogFormat {
  const text = environment[LOG_FORMAT.name]?.trim() ?? '';
  if (isFormat(text)) return text;
  return isTerminal ? 'plain' : 'timed';
}

function isFormat(text: string): text is LogFormat {
  return (FORMATS as readonly string[]).includes(text);
}

export interface LogEntry {
  readonly time: Date;
  readonly level: Level;
  readonly program: string;
  /** One line. */
  readonly message: string;
}

const TIMED = /^\d{4}-\d\d-\d\dT\S+Z (?:error|warning|info) /;

/** A line as a person at a terminal reads it: a timed one without time and level. */
export function withoutTime(line: string): string {
  return line.replace(TIMED, '');
}

/** One line, without its end. */
export function logLine(format: LogFormat, { time, level, program, message }: LogEntry): string {
  if (format === 'json') return JSON.stringify({ time: time.toISOString(), level, program, message });
  const text = `${program}: ${message}`;
  return format === 'plain' ? text : `${time.toISOString()} ${level} ${text}`;
}

export const LOG_ORIGIN: Variable = {
  name: 'GATEWAY_LOG_ORIGIN',
  form: 'a name without white space and plus signs, for example logs.example.com/gateway',
  fallback: 'gateway/ and the identifier of this installation',
  effect:
    'Name of the logs in checkpoints in note form, and of the keys that sign them. Set the same value for the gateway, the console and gatewayctl, and never change it: witnesses know the logs by this name.',
};

/** Whether a name can be the origin of checkpoints. */
export function isLogOrigin(name: string): boolean {
  return isKeyName(name) && name.length <= 200 && !name.endsWith('/');
}

/** Null where the identifier of the installation serves. */
export function readLogOrigin(reading: Reading): string | null {
  const name = reading.text(LOG_ORIGIN);
  if (name === null || isLogOrigin(name)) return name;
  reading.fault(LOG_ORIGIN, `must be ${LOG_ORIGIN.form}, without a slash at its end.`);
  return null;
}
