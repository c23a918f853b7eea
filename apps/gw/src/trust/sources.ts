import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ReadConfiguration } from '../configuration/configuration.ts';
import { faultText, type Position } from '../configuration/position.ts';
import { type Reference, referencesIn, refuseName, withValues } from '../configuration/reference.ts';
import { type Configuration, configurationShape, isEndpointName } from '../configuration/shape.ts';
import { abbreviatePath } from '../files/listing.ts';
import { type Project, staysWithin } from '../files/project.ts';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';

/** A configuration file, and whose word it is. */
export interface Source {
  readonly origin: Origin;
  /** The path as people write it: `~` for the home directory. */
  readonly shown: string;
  readonly text: string;
  /** As it is written, with references to variables. */
  readonly raw: Configuration;
  /** With the values of the variables. */
  readonly value: Configuration;
}

/** Everything that configures a session, by origin. */
export interface Sources {
  /**
   * The gateway of the user's sources: GATEWAY_URL, else `--config`, else the user's own file. Policy, standing, acts, license,
   * sign-in and credentials belong to it. No slash at its end; null where none is configured.
   */
  readonly gateway: string | null;
  /** The file of `--config`, else the user's own. */
  readonly user: Source | null;
  readonly project: Source | null;
  /** What completes a bare endpoint of the project's models: GATEWAY_URL, else the project's `gateway`, else the user's. */
  readonly projectBase: string | null;
}

const NAMES = ['config.yaml', 'config.yml'];

/**
 * Finds and reads the configuration.
 * @param asked the value of `--config`: the user's source. The project's file is not read then.
 * @throws WrongUsage with file, line and column for any fault in it.
 */
export async function readSources(environment: Environment, project: Project, asked: string | null): Promise<Sources> {
  const variable = gatewayVariable(environment);
  if (asked !== null) {
    const besides = variable ?? (await readHomeGateway(environment))?.value ?? null;
    const user = await readUserFile(environment, asked, besides !== null);
    return { gateway: variable ?? plain(user.value.gateway) ?? plain(besides), user, project: null, projectBase: null };
  }
  const own = await readFound(environment, homeFolder(environment), variable !== null);
  const user = own === null ? null : resolve(environment, own, 'user');
  const gateway = variable ?? plain(user?.value.gateway);
  const theirs =
    project.foreign || project.directory === homeOf(environment)
      ? null
      : await readFound(environment, join(project.directory, '.gateway'), gateway !== null, project.directory);
  if (theirs === null) return { gateway, user, project: null, projectBase: null };
  refuseForeignVariables(theirs, own?.read.references ?? []);
  const found = resolve(environment, theirs, 'project');
  return { gateway, user, project: found, projectBase: variable ?? plain(found.value.gateway) ?? gateway };
}

/** A file that the person names on the command line, with `--config` or `--mcp`. It is trusted as a whole. */
export async function readUserFile(
  environment: Environment,
  asked: string,
  hasGateway: boolean,
  option = '--config',
): Promise<Source> {
  const reading = await readText(pathFrom(environment, asked));
  if (reading.state === 'absent') {
    refuseName(option, asked);
    throw new WrongUsage(`${option} ${asked}: there is no such file. Correct the path.`);
  }
  if (reading.state !== 'read') throw new WrongUsage(`${option} ${asked} cannot be read: ${FIXES[reading.state]}`);
  const { text } = reading;
  return resolve(environment, { shown: asked, text, read: await readQuickly(text, hasGateway) }, 'user');
}

/**
 * The gateway of the user's sources without `--config`, and what names it. Only this member of the user's file is read, so that
 * a fault elsewhere in it keeps nobody from signing in.
 */
export async function readUserGateway(
  environment: Environment,
): Promise<{ readonly value: string; readonly where: string } | null> {
  const variable = environment.variables.get('GATEWAY_URL');
  return variable === undefined ? readHomeGateway(environment) : { value: variable, where: 'GATEWAY_URL' };
}

async function readHomeGateway(
  environment: Environment,
): Promise<{ readonly value: string; readonly where: string } | null> {
  for (const name of environment.homeDirectory === null ? [] : NAMES) {
    const read = await readText(join(homeFolder(environment), name));
    if (read.state !== 'read') continue;
    const { readYaml } = await import('../configuration/yaml-text.ts');
    const { gateway } = (readYaml(read.text).data ?? {}) as Partial<Record<string, unknown>>;
    if (typeof gateway !== 'string') return null;
    const where = `The member gateway of ~/.gateway/${name}`;
    return { value: withValues(gateway, environment.variables), where };
  }
  return null;
}

function homeOf({ homeDirectory }: Environment): string {
  return homeDirectory ?? homedir();
}

function homeFolder(environment: Environment): string {
  return join(homeOf(environment), '.gateway');
}

/** An address without slashes at its end. */
function plain(address: string | null | undefined): string | null {
  return address?.replace(/\/+$/, '') ?? null;
}

function gatewayVariable({ variables }: Environment): string | null {
  const asked = variables.get('GATEWAY_URL');
  if (asked === undefined) return null;
  const url = URL.parse(asked);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new WrongUsage('GATEWAY_URL must be an http or https address without user name and password.');
  return plain(asked);
}

interface Read {
  readonly shown: string;
  readonly text: string;
  readonly read: QuicklyRead;
}

async function readFound(
  environment: Environment,
  folder: string,
  hasGateway: boolean,
  within?: string,
): Promise<Read | null> {
  for (const name of NAMES) {
    const file = join(folder, name);
    const shown = abbreviatePath(environment, file);
    if (within !== undefined && !(await staysWithin(within, file)))
      throw new WrongUsage(
        `${shown} is a link that points out of the project. Put the file itself there, or use --config.`,
      );
    const reading = await readText(file);
    if (reading.state === 'absent') continue;
    if (reading.state !== 'read') throw new WrongUsage(`${shown} cannot be read. ${FIXES[reading.state]}`);
    return { shown, text: reading.text, read: await readQuickly(reading.text, hasGateway) };
  }
  return null;
}

function resolve(environment: Environment, { shown, text, read }: Read, origin: Origin): Source {
  if (read.value === null) throw new WrongUsage(faultText(shown, read.faults));
  for (const { name, line, column } of read.references) {
    if (!environment.variables.has(name))
      throw new WrongUsage(`${shown}:${line}:${column}: the variable ${name} is not set. Set it, and export it.`);
  }
  return { origin, shown, text, raw: read.value, value: withValues(read.value, environment.variables) };
}

/** A cloned project must not send the user's keys elsewhere: it may use only variables that the user's own file names. */
function refuseForeignVariables(theirs: Read, own: readonly Reference[]): void {
  const known = new Set(own.map(({ name }) => name));
  const foreign = theirs.read.references.find(({ name }) => !known.has(name));
  if (foreign === undefined) return;
  throw new WrongUsage(
    `${theirs.shown}:${foreign.line}:${foreign.column}: a project may not use the variable ${foreign.name}, because your own ~/.gateway/config.yaml does not name it. Name it there, or trust this file: --config ${theirs.shown}`,
  );
}

/** Whose word a value is. The rules of an organization are no file: they come from the gateway of the user's sources alone. */
export type Origin = 'user' | 'project';

/** A line of a request: what it is, and its value in full. */
export type Row = readonly [label: string, value: string];

/**
 * Something in a project's files that sends data or runs programs, so that it has no effect before the person agreed.
 *
 * To bring another kind under consent (commands, skills): build a request of it, pass it to `openTrust` in `more`, and use the
 * thing only where `Trust.isGranted(request)`. Questions, `gw trust`, headless lines and the file of answers follow from that.
 */
export interface ProjectRequest {
  readonly kind: 'gateway' | 'model' | 'MCP server' | 'command' | 'skill' | 'hook';
  readonly name: string;
  /**
   * What the person judges by, and what the answer is kept for: everything that decides what is sent, where to, and what runs.
   * The host of an address comes first. A change of any row asks again.
   */
  readonly shown: readonly Row[];
  /** The file, with line and column where they are known: `.gateway/config.yaml:3:5`. */
  readonly place: string;
}

/** A member of a project's file that has no effect, whatever the person answers. */
export interface Refusal {
  /** What is refused, as the beginning of a sentence: `the model Helper`. */
  readonly what: string;
  /** Why, and what to do: whole sentences. */
  readonly reason: string;
  readonly place: string;
}

/** `yes` and `never` are kept; `once` counts until the program ends. */
export type ConsentAnswer = 'yes' | 'once' | 'no' | 'never';

/** Puts a request before the person. */
export type AskPerson = (request: ProjectRequest) => Promise<ConsentAnswer>;

/** The value of a text of plain YAML, and its scalar texts with their positions. */
interface PlainYaml {
  readonly data: unknown;
  readonly texts: readonly (Position & { readonly text: string })[];
}

interface Line {
  readonly number: number;
  /** Blanks before the content. */
  indent: number;
  content: string;
}

/** The text is no plain YAML: the library reads it. */
const OTHER = Symbol('other');

const KEY = /^([A-Za-z][\w-]*):(?: +(\S.*))?$/;
/** Words that mean no text, as values and as keys. */
const WORDS = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/**
 * Reads the small part of YAML that most configurations consist of: block mappings and sequences of plain or quoted scalars, in
 * ASCII. Null for anything else, which the library then reads: loading it would take a tenth of the start of `gw -p`.
 */
export function readPlainYaml(text: string): PlainYaml | null {
  if (!/^[\n\x20-\x7e]*$/.test(text)) return null;
  const lines = text.split('\n').flatMap((line, at): Line[] => {
    const content = line.trim();
    return content === '' || content.startsWith('#')
      ? []
      : [{ number: at + 1, indent: line.length - line.trimStart().length, content }];
  });
  if (lines.length === 0) return null;
  const texts: (Position & { text: string })[] = [];
  const reader = { lines, at: 0, texts };
  try {
    const data = block(reader, 0);
    return reader.at === lines.length ? { data, texts } : null;
  } catch (error) {
    if (error === OTHER) return null;
    throw error;
  }
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
  readonly texts: (Position & { text: string })[];
}

function block(reader: Reader, least: number): unknown {
  const first = reader.lines[reader.at];
  if (first === undefined || first.indent < least) throw OTHER;
  return first.content.startsWith('- ') ? sequence(reader, first.indent) : mapping(reader, first.indent);
}

function sequence(reader: Reader, indent: number): readonly unknown[] {
  const items: unknown[] = [];
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const item = /^- +(.+)$/.exec(line.content)?.[1];
    if (item === undefined) break;
    if (KEY.test(item) || item.startsWith('- ')) {
      // The text after the hyphen is the first line of a block.
      line.indent += line.content.length - item.length;
      line.content = item;
      items.push(block(reader, indent + 1));
    } else {
      reader.at += 1;
      items.push(scalar(reader, item, line.number, line.indent + line.content.length - item.length));
    }
  }
  return items;
}

function mapping(reader: Reader, indent: number): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const [, key, value] = KEY.exec(line.content) ?? [];
    if (key === undefined || WORDS.test(key) || Object.hasOwn(members, key)) throw OTHER;
    reader.at += 1;
    members[key] =
      value === undefined
        ? readNested(reader, indent)
        : scalar(reader, value, line.number, line.indent + line.content.length - value.length);
  }
  const next = reader.lines[reader.at];
  // A deeper line continues a scalar, or is wrong.
  if (next !== undefined && next.indent > indent) throw OTHER;
  return members;
}

/** The value below a key: an indented block, or a sequence in the column of the key. */
function readNested(reader: Reader, indent: number): unknown {
  const next = reader.lines[reader.at];
  const isSequence = next?.indent === indent && next.content.startsWith('- ');
  return isSequence ? sequence(reader, indent) : block(reader, indent + 1);
}

function scalar(reader: Reader, written: string, line: number, column: number): unknown {
  const next = reader.lines[reader.at];
  const value = valueOf(written);
  // Whether the next line continues this one depends on its indentation: it never does if it is not deeper.
  if (next !== undefined && !/^- |^[A-Za-z][\w-]*:(?: |$)/.test(next.content)) throw OTHER;
  if (typeof value === 'string') reader.texts.push({ line, column: column + 1, text: value });
  return value;
}

function valueOf(written: string): unknown {
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  if (written === 'true' || written === 'false') return written === 'true';
  if (/^(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(written)) return Number(written);
  const isPlain = /^(?:[A-Za-z/$]|\d+\.\d+\.\d)/.test(written) && !/ #|:(?: |$)/.test(written);
  if (!isPlain || WORDS.test(written)) throw OTHER;
  return written;
}

type QuicklyRead = Pick<ReadConfiguration, 'value' | 'faults' | 'references'>;

/** As `readConfiguration`, which is loaded only where the text is no plain YAML or something in it is wrong. */
export async function readQuickly(text: string, hasGateway: boolean): Promise<QuicklyRead> {
  return (
    plainConfiguration(text, hasGateway) ??
    (await import('../configuration/configuration.ts')).readConfiguration(text, hasGateway)
  );
}

function plainConfiguration(text: string, hasGateway: boolean): QuicklyRead | null {
  const plain = readPlainYaml(text);
  const value = plain === null ? null : configurationShape.valueOf(plain.data);
  if (plain === null || value === null) return null;
  const isNameless = !hasGateway && value.gateway === undefined;
  if (isNameless && value.models?.some(({ endpoint }) => endpoint !== undefined && isEndpointName(endpoint)) === true)
    return null;
  const found = plain.texts.map(referencesIn);
  return found.some(({ faults }) => faults.length > 0)
    ? null
    : { value, faults: [], references: found.flatMap(({ references }) => references) };
}
