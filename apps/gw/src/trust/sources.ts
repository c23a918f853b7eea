import { homedir } from 'node:os';
import { join } from 'node:path';
import { faultText } from '../configuration/position.ts';
import { type QuicklyRead, readQuickly } from '../configuration/read-quickly.ts';
import { type Reference, refuseName, withValues } from '../configuration/reference.ts';
import type { Configuration } from '../configuration/shape.ts';
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
