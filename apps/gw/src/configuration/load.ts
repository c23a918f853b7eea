import { homedir } from 'node:os';
import { join } from 'node:path';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { type Project, staysWithin } from '../project/project.ts';
import type { Fault } from './position.ts';
import { type QuicklyRead, readQuickly } from './read-quickly.ts';
import { withValues } from './reference.ts';
import { refuseName } from './registry.ts';
import type { Configuration } from './shape.ts';

/** A configuration file with the values of its variables inserted. */
export interface LoadedFile {
  readonly file: string;
  readonly of: 'project' | 'home' | 'option';
  readonly value: Configuration;
}
export interface LoadedConfiguration {
  /** The one whose models and gateway count: of --config, else of the project, else of home. Null without any. */
  readonly main: LoadedFile | null;
  /** The user's own, beside that of the project: its rules, prompts and servers count, too. */
  readonly besides: LoadedFile | null;
}

const NAMES = ['config.yaml', 'config.yml'];

/**
 * Finds and reads the configuration.
 * @param asked the value of --config: only this file counts, and is trusted.
 * @throws WrongUsage with file, line and column for any fault in it.
 */
export async function loadConfiguration(
  environment: Environment,
  project: Project,
  asked: string | null,
): Promise<LoadedConfiguration> {
  const hasGateway = environment.variables.has('GATEWAY_URL');
  if (asked !== null) {
    const read = await readAsked(environment, asked, hasGateway);
    return { main: resolve(environment, { ...read, of: 'option' }), besides: null };
  }
  const home = environment.homeDirectory ?? homedir();
  const own = await readFound(environment, join(home, '.gateway'), hasGateway);
  const isHome = project.directory === home;
  const theirs =
    project.foreign || isHome
      ? null
      : await readFound(environment, join(project.directory, '.gateway'), hasGateway, project.directory);
  if (theirs === null) {
    return { main: own === null ? null : resolve(environment, { ...own, of: 'home' }), besides: null };
  }
  refuseForeignVariables(theirs, own);
  const main = resolve(environment, { ...theirs, of: 'project' });
  const mine = own === null ? null : resolve(environment, { ...own, of: 'home' });
  // A project that configures no model leaves the choice to the user, with the gateway that the models belong to.
  if ((main.value.models ?? []).length === 0 && mine !== null) return { main: mine, besides: main };
  return { main, besides: mine };
}

interface Read {
  readonly file: string;
  /** As people write it: `~` for the home directory. */
  readonly shown: string;
  readonly read: QuicklyRead;
}

async function readAsked(environment: Environment, asked: string, hasGateway: boolean): Promise<Read> {
  const file = pathFrom(environment, asked);
  const reading = await readText(file);
  if (reading.state === 'absent') {
    refuseName('--config', asked);
    throw new WrongUsage(`--config ${asked}: there is no such file. Correct the path.`);
  }
  if (reading.state !== 'read') throw new WrongUsage(`--config ${asked} cannot be read: ${FIXES[reading.state]}`);
  return { file, shown: asked, read: await readQuickly(reading.text, hasGateway) };
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
    return { file, shown, read: await readQuickly(reading.text, hasGateway) };
  }
  return null;
}

function resolve(environment: Environment, { file, shown, read, of }: Read & Pick<LoadedFile, 'of'>): LoadedFile {
  if (read.value === null) throw new WrongUsage(faultText(shown, read.faults));
  for (const { name, line, column } of read.references) {
    if (!environment.variables.has(name))
      throw new WrongUsage(`${shown}:${line}:${column}: the variable ${name} is not set. Set it, and export it.`);
  }
  return { file, of, value: withValues(read.value, environment.variables) };
}

/** A cloned project must not send the user's keys elsewhere: it may use only variables that the user's own file names. */
function refuseForeignVariables(theirs: Read, own: Read | null): void {
  const known = new Set(own?.read.references.map(({ name }) => name));
  const foreign = theirs.read.references.find(({ name }) => !known.has(name));
  if (foreign === undefined) return;
  throw new WrongUsage(
    `${theirs.shown}:${foreign.line}:${foreign.column}: a project may not use the variable ${foreign.name}, because your own ~/.gateway/config.yaml does not name it. Name it there, or trust this file: --config ${theirs.shown}`,
  );
}

/** The fault to fix first with its position, and how many more there are. */
export function faultText(shown: string, faults: readonly Fault[]): string {
  // A misspelt member is often why another one is missing.
  const fault = faults.find(({ message }) => message.startsWith('is not a known member')) ?? faults[0];
  if (fault === undefined) return `${shown} cannot be used. Run gw diagnose.`;
  const member = fault.path === null ? '' : `${fault.path.join('.') || 'the file'} `;
  const more = faults.length === 1 ? '' : ` (${faults.length - 1} more; run gw diagnose)`;
  return `${shown}:${fault.line}:${fault.column}: ${member}${fault.message.replace(/\.$/, '')}. ${fault.fix}${more}`;
}

export function abbreviatePath({ homeDirectory }: Environment, path: string): string {
  return homeDirectory !== null && path.startsWith(`${homeDirectory}/`) ? `~${path.slice(homeDirectory.length)}` : path;
}
