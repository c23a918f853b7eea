import { type AgentFacts, agentsFacts } from './agents.ts';
import { type AuthorityFacts, certificatesFacts } from './certificates.ts';
import { type ConfigurationFacts, configurationFacts, configurationFiles } from './configuration.ts';
import { type DirectoryFacts, directoryFacts } from './directories.ts';
import { type InstructionFacts, instructionsFacts } from './instructions.ts';
import { type MachineFacts, machineFacts, type TerminalFacts, terminalFacts } from './machine.ts';
import { type Finding, GRADES, type Probe } from './probe.ts';
import { ownDirectories, type ProjectFacts, projectFacts } from './project.ts';
import { type ProxiesFacts, proxiesFacts } from './proxies.ts';
import { type ToolFacts, toolsFacts } from './tools.ts';

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
export async function diagnose(without: Omit<Probe, 'find'>, asked: string | undefined): Promise<Report> {
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
