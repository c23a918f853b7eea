import { accessSync, constants, readFileSync } from 'node:fs';
import { errorCode, errorMessage } from '@gateway/contract/error-code';

/** The process environment as a configuration reads it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads variables and collects every fault instead of stopping at the first (refusals-20).
 * A fault is one line that begins with the variable that fixes it and never shows a secret's value.
 */
export class Reading {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  fault(variable: Variable, sentence: string): void {
    // What a library says of a file may quote its lines.
    this.faults.push(`${variable.name}: ${sentence.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`);
  }

  /** The value, or null where the variable is absent or blank. Blank counts as absent, as compose files leave it. */
  text(variable: Variable): string | null {
    const value = this.#environment[variable.name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** The value under the variable's name, else under its lower-case spelling (`https_proxy`, as curl reads it). */
  textInEitherCase(variable: Variable): string | null {
    return this.text(variable) ?? this.text({ ...variable, name: variable.name.toLowerCase() });
  }

  required(variable: Variable): string | null {
    const value = this.text(variable);
    if (value === null) this.fault(variable, `is not set. Set it to ${variable.form}.`);
    return value;
  }

  wholeNumber(variable: WholeNumber): number {
    const { least, most, fallback } = variable.bounds;
    const text = this.text(variable);
    if (text === null) return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    this.fault(variable, `must be a whole number from ${least} to ${most}, not ${printable(text)}.`);
    return fallback;
  }

  /** Content of the file the variable names; null where absent, null and a fault where it cannot be read. */
  file(variable: Variable): string | null {
    const path = this.text(variable);
    if (path === null) return null;
    try {
      accessSync(path, constants.R_OK);
      return readFileSync(path, 'utf8');
    } catch (error) {
      this.fault(variable, `names a file that cannot be read (${codeOf(error)}): ${printable(path)}.`);
      return null;
    }
  }
}

/** A value as a message may show it: quoted, on one line, bounded. */
export function printable(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

/** `ENOENT` and similar codes, which an operator can look up, rather than a stack. */
export function codeOf(error: unknown): string {
  return errorCode(error) || errorMessage(error);
}

/** The variables that each build of a service reads. */
export interface Builds {
  readonly serverless: readonly Variable[];
  readonly 'on-premise': readonly Variable[];
}

/** Each variable of a service once, with the builds that read it: which they are follows from what they list. */
export function acrossBuilds({
  serverless,
  'on-premise': onPremise,
}: Builds): { readonly variable: Variable; readonly readers: keyof Builds | 'both' }[] {
  const hosted = new Map(serverless.map((variable) => [variable.name, variable]));
  const restricted = new Map(onPremise.map((variable) => [variable.name, variable]));
  return [...new Map([...hosted, ...restricted])].map(([name, variable]) => {
    if (hosted.has(name) && restricted.has(name)) return { variable, readers: 'both' };
    return { variable, readers: hosted.has(name) ? 'serverless' : 'on-premise' };
  });
}

/**
 * One environment variable as the reference documentation shows it. Reading goes through the same value, so a variable
 * that is read is a variable that is documented.
 */
export interface Variable {
  readonly name: string;
  /** What a value looks like, with its bounds: `whole number, 1 to 86400`. */
  readonly form: string;
  /** The default where the variable is absent, or null where it must be set. */
  readonly fallback: string | null;
  /** What it does, in one or two sentences. */
  readonly effect: string;
}

/** The bounds of a whole number, and its default. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

/** A variable with a whole number: its form also describes its check. */
interface WholeNumber extends Variable {
  readonly bounds: Bounds;
}

/** @param of what is counted */
export function wholeNumber({
  name,
  of,
  effect,
  ...bounds
}: Bounds & { readonly name: string; readonly of?: string; readonly effect: string }): WholeNumber {
  const form = `whole number${of === undefined ? '' : ` of ${of}`}, ${bounds.least} to ${bounds.most}`;
  return { name, form, fallback: String(bounds.fallback), effect, bounds };
}

/** How the names begin that are this product's alone: a `PORT` and a `HTTP_PROXY` are others' too. */
const OURS = /^(?:ADMIN|DATABASE|GATEWAY|OIDC|TLS|UPSTREAM)_/;

/**
 * One line for each unread variable with a name close to one that is read and not set. Never its value. Other variables are
 * ignored: they may contain a provider's key, belong to another program, or come from Kubernetes, which sets `GATEWAY_PORT` for a
 * service called gateway.
 * @param variables all that this program reads
 */
export function misspelt(environment: Environment, variables: readonly Variable[]): readonly string[] {
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== '';
  const read = new Set(variables.map(({ name }) => name));
  const absent = [...read].filter((name) => OURS.test(name) && !isSet(name));
  const strangers = Object.keys(environment).filter((name) => !read.has(name) && isSet(name));
  return strangers.toSorted().flatMap((name) => {
    const [meant, another] = absent.filter((one) => isSlip(name, one) || isOtherLength(name, one));
    if (meant === undefined || another !== undefined) return [];
    return [`${name}: is not a setting. Did you mean ${meant}?`];
  });
}

/** One letter too many, too few or another one, or two neighbours exchanged. */
function isSlip(written: string, meant: string): boolean {
  const shorter = Math.min(written.length, meant.length);
  let start = 0;
  while (start < shorter && written[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && written.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [one, other] = [written.slice(start, written.length - end), meant.slice(start, meant.length - end)];
  return (one.length <= 1 && other.length <= 1) || (other.length === 2 && one === `${other[1]}${other[0]}`);
}

/** Omitted last words (`TLS_CERT`), or a last word written out (`GATEWAY_STATE_DIRECTORY`). */
function isOtherLength(written: string, meant: string): boolean {
  if (meant.startsWith(`${written}_`)) return OURS.test(written);
  return written.startsWith(meant) && !written.slice(meant.length).includes('_');
}
