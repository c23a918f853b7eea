import { randomUUID } from 'node:crypto';
import { link, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { maskText } from '@gateway/secrets';
import {
  type AuthorityFacts,
  certificatesFacts,
  certificatesLines,
  type ProxiesFacts,
  proxiesFacts,
  proxiesLines,
} from '../../diagnose/certificates.ts';
import {
  type ConfigurationFacts,
  configurationFacts,
  configurationFiles,
  configurationLines,
} from '../../diagnose/configuration.ts';
import {
  type AgentFacts,
  agentsFacts,
  agentsLines,
  type InstructionFacts,
  instructionsFacts,
  instructionsLines,
} from '../../diagnose/instructions.ts';
import {
  type DirectoryFacts,
  directoryFacts,
  directoryLines,
  type MachineFacts,
  machineFacts,
  machineLines,
  type TerminalFacts,
  type ToolFacts,
  terminalFacts,
  terminalLines,
  toolsFacts,
  toolsLines,
} from '../../diagnose/machine.ts';
import { type Finding, GRADES, type Line, type Probe } from '../../diagnose/probe.ts';
import { ownDirectories, type ProjectFacts, projectFacts, projectLines } from '../../diagnose/project.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed, reasonOf } from '../../process/fault.ts';
import { pluralize, wrap } from '../../process/pluralize.ts';
import { collectSecrets, createRedaction, type Redaction } from '../../redaction/redaction.ts';

interface Options {
  readonly output: string | null;
  readonly force: boolean;
  readonly config: string | null;
  readonly json: boolean;
}

/**
 * `diagnose`: writes a report of this client's state on the machine, and sends nothing. It creates one file, in the working
 * directory, and changes nothing else. Findings are no failure.
 */
export async function runDiagnose(context: Context, options: Options): Promise<void> {
  const { environment, terminal } = context;
  const home = environment.homeDirectory;
  const real = home === null ? null : await realpath(home).catch(() => null);
  const homeDirectories = [...new Set([home, real])].filter((each) => each !== null);
  const redaction = createRedaction({ homeDirectories, userName: environment.userName });
  for (const value of collectSecrets(environment.variables)) redaction.withhold(value);

  const report = redactReport(await diagnose({ ...context, redaction }, options.config ?? undefined), redaction);
  const { json } = options;
  const text = maskText(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  if (options.output === '-') {
    await terminal.write(json ? text : inColumns(text, terminal.columns));
    return;
  }
  const path = options.output ?? `./gw-diagnostic-${instantOf(context.now())}.${json ? 'json' : 'txt'}`;
  await writeOwnFile(pathFrom(environment, path), text, options.force, path);
  const found = summarize(report);
  const lines = [`It holds ${found}.`, 'Nothing was sent. Read it before you hand it on.'];
  const result = json
    ? JSON.stringify({ report: path, findings: report.findings.length, sent: false })
    : [path, ...lines.map((line) => wrap(line, terminal.columns))].join('\n');
  await terminal.write(`${result}\n`);
}

/** An instant as a part of a file name that every system takes: `20260131T093000123Z`. */
function instantOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:.]/g, '');
}

function summarize({ findings: { length } }: Report): string {
  const findings = length === 0 ? 'no finding' : pluralize(length, 'finding');
  return `${findings}, and facts about this machine, its terminal, proxies and tools, the project and its settings`;
}

const ELSEWHERE = 'Name another place with --output FILE.';

/**
 * Writes a file that only its owner can read, whole or not at all: what reads it meanwhile sees no half of it.
 * @param replace whether a file that is there may be replaced.
 * @param name the path as the person wrote it, for faults.
 * @throws CommandFailed when it cannot be written, or is there already.
 */
export async function writeOwnFile(path: string, text: string, replace: boolean, name = path): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isFile())
    throw new CommandFailed(`${name} is not a plain file, and is not replaced. ${ELSEWHERE}`);
  if (there !== null && !replace) throw new CommandFailed(`${name} is there already. Add --force to replace it.`);
  const aside = join(dirname(path), `.gw-${randomUUID()}`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replace) await rename(aside, path);
    else await placeNew(aside, path, name);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined); // the error that prevented the write prevents its removal
    throw error instanceof CommandFailed
      ? error
      : new CommandFailed(`${name} cannot be written: ${reasonOf(error)} ${ELSEWHERE}`);
  }
}

/** Renames the file unless another one has the name meanwhile. */
async function placeNew(aside: string, path: string, name: string): Promise<void> {
  try {
    await link(aside, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new CommandFailed(`${name} is there already. Add --force to replace it.`);
    await rename(aside, path); // a file system without links: a file created since the check is replaced
    return;
  }
  await rm(aside);
}

/**
 * The report as it may be seen. Every text of it passes, whichever part put it there, and only now, when all values that
 * must be left out are known. Names of members are ours, but for those of variables, which are a fixed list.
 */
export function redactReport(report: Report, redaction: Redaction): Report {
  return redact(report, redaction) as Report;
}

function redact(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string') return redaction.text(value);
  if (Array.isArray(value)) return value.map((each) => redact(each, redaction));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redact(each, redaction)]));
}

/** The report as a person reads it. */
export function reportText(report: Report): string {
  const { machine, findings } = report;
  const none: readonly Line[] = [['File', 'none: no config.yaml in the directories listed above']];
  const parts: readonly (readonly [title: string, lines: readonly Line[]])[] = [
    ['This machine', machineLines(machine)],
    ['Terminal', terminalLines(report.terminal)],
    ['Network', [...proxiesLines(report.proxies), ...certificatesLines(report.authorities)]],
    ['Tools', toolsLines(report.tools)],
    ['Project', projectLines(report.project)],
    ['Directories', report.directories.flatMap(directoryLines)],
    ['Configuration', report.configurations.length === 0 ? none : report.configurations.flatMap(configurationLines)],
    ['Agents', agentsLines(report.agents)],
    ['Instructions', instructionsLines(report.instructions)],
  ];
  return [
    `Diagnostic report of gw ${machine.client}, ${machine.clock}`,
    '',
    'It was written on this machine and not sent anywhere. Read it before you share it.',
    'Left out are secrets, values of variables, and your name; ~ is your home.',
    ...section('Findings', findings.length === 0 ? ['Nothing was found wrong.'] : findings.flatMap(findingLines)),
    ...parts.flatMap(([title, lines]) => section(title, lines.map(formatLine))),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', title, '-'.repeat(title.length), ...lines];
}

function findingLines({ grade, what, where, fix }: Finding, at: number): readonly string[] {
  const number = `${at + 1}.`.padEnd(4);
  return [`${number}${what} (${grade})`, `    Where: ${where}`, `    Fix:   ${fix}`];
}

function formatLine([label, text]: Line): string {
  return `${label.padEnd(19)} ${text}`;
}

/** The label of a line; continued lines are indented to its end. */
const LABEL = /^(?:\d+\. +| {4}(?:Where|Fix): +| {20}|(?=.{20}\S)(?:\S.{0,17}? {2,}|\S{19} ))/;

/**
 * The report, wrapped between words for a terminal.
 * @param columns null: it is not shown in a terminal.
 */
export function inColumns(report: string, columns: number | null): string {
  const lines = report.split('\n').map((line) => wrap(line, columns, LABEL.exec(line)?.[0].length ?? 0));
  return lines.join('\n');
}

/** Number of the form of the report as JSON: raised when a member changes its meaning or goes. */
const FORM = 1;

export interface Report {
  readonly form: typeof FORM;
  readonly findings: readonly Finding[];
  readonly machine: MachineFacts;
  readonly terminal: TerminalFacts;
  readonly proxies: ProxiesFacts;
  readonly authorities: readonly AuthorityFacts[];
  readonly tools: readonly ToolFacts[];
  readonly project: ProjectFacts;
  readonly directories: readonly DirectoryFacts[];
  readonly configurations: readonly ConfigurationFacts[];
  readonly agents: readonly AgentFacts[];
  readonly instructions: readonly InstructionFacts[];
}

/**
 * Collects the whole report. A fault never ends it: it becomes a finding. No connection is made.
 * @param asked the configuration to read instead of the default ones.
 * @returns raw texts: `redactReport` must run before they are shown.
 */
async function diagnose(without: Omit<Probe, 'find'>, asked: string | undefined): Promise<Report> {
  const findings: Finding[] = [];
  const probe: Probe = { ...without, find: (finding) => findings.push({ grade: 'fault', ...finding }) };
  const machine = machineFacts(probe);
  const terminal = terminalFacts(probe);
  const proxies = proxiesFacts(probe);
  const authorities = await certificatesFacts(probe);
  const facts = await projectFacts(probe);
  const tools = await toolsFacts(probe, facts.repository);
  const own = await ownDirectories(probe, facts);
  const directories = await inTurn(own, (each) => directoryFacts(probe, each));
  const open = own.filter(({ path }) => directories.some((each) => each.path === path && each.state === 'read'));
  const files = await configurationFiles(probe, open, asked);
  const configurations = await inTurn(files, (file) => configurationFacts(probe, proxies, file));
  const agents = await agentsFacts(probe, open, modelsOf(configurations));
  const project = own.find((each) => each.of === 'project');
  const instructions = project === undefined ? [] : await instructionsFacts(probe, project, open.includes(project));
  const found = { machine, terminal, proxies, authorities, tools, project: facts, directories };
  // The worst first, and within a grade as they were found: machine, network, settings.
  findings.sort((one, other) => GRADES.indexOf(one.grade) - GRADES.indexOf(other.grade));
  return { form: FORM, findings, ...found, configurations, agents, instructions };
}

/** Sequential, so that findings have the same order each time. */
async function inTurn<T, Facts>(things: readonly T[], look: (thing: T) => Promise<Facts>): Promise<readonly Facts[]> {
  const facts: Facts[] = [];
  for (const thing of things) facts.push(await look(thing));
  return facts;
}

/** The values that `model` of an agent can name; null if an invalid configuration may contain others. */
function modelsOf(configurations: readonly ConfigurationFacts[]): ReadonlySet<string> | null {
  if (configurations.length === 0 || configurations.some(({ sound }) => !sound)) return null;
  const names = configurations.flatMap(({ models }) => models.flatMap(({ name, model }) => [name, model]));
  return new Set(names.flatMap((name) => (name === null ? [] : [name.toLowerCase()])));
}
