import {
  type ModelChoice,
  type PermissionSettings,
  permissionSettings,
  type ServerChoice,
} from '../configuration/settings.ts';
import type { Configuration } from '../configuration/shape.ts';
import type { Project } from '../files/project.ts';
import type { Environment } from '../process/environment.ts';
import type { Consents } from './consents.ts';
import { decide, textOfProject, type Verdict } from './decide.ts';
import { digestOf, factsOf, keyOf, type Member, membersOf } from './members.ts';
import {
  type AskPerson,
  type ConsentAnswer,
  type ProjectRequest,
  type Refusal,
  readSources,
  type Source,
} from './sources.ts';

/** What is configured for a session in this project: what the user configured, and what they agreed to of the project's. */
export interface Settings {
  /** The gateway of the user's sources; null where none is configured. */
  readonly gateway: string | null;
  /** Those of the user first. */
  readonly models: readonly ModelChoice[];
  readonly servers: readonly ServerChoice[];
  readonly rules: readonly string[];
  readonly prompts: readonly string[];
  readonly permissions: PermissionSettings;
  /** Whether files are copied before they change, for `/undo`. */
  readonly snapshots: boolean;
  /** Those of the user's own configuration. */
  readonly hooks: NonNullable<Configuration['hooks']>;
}

/** A request of the project, and what the person said about it. */
export type KnownRequest = ProjectRequest & { readonly answer: 'yes' | 'never' | null };

/** What counts in a project. The only place that knows where a value came from. */
export interface Trust {
  /** As it counts now: an answer changes it at once. */
  readonly settings: Settings;
  /** All that the project asks for. */
  readonly requests: readonly KnownRequest[];
  readonly refusals: readonly Refusal[];
  /** The file of answers. */
  readonly consents: () => Promise<Consents>;
  isGranted(request: Pick<ProjectRequest, 'kind' | 'name' | 'shown'>): boolean;
  /** Asks about each request without an answer. A yes and a never are kept. */
  ask(person: AskPerson): Promise<void>;
  /** Agrees to everything that the project asks for, for good. */
  agree(): Promise<void>;
  /** A line for each member of the project's files that has no effect. */
  readonly ignored: () => readonly string[];
  /** Names of the project's models that have no effect for want of consent. */
  readonly ignoredModels: readonly string[];
  /** Answers of this process that were not taken yet, for the record. */
  takeDecisions(): readonly Decision[];
}

export interface Decision {
  readonly request: ProjectRequest;
  readonly answer: ConsentAnswer;
}

export interface TrustOptions {
  readonly environment: Environment;
  readonly project: Project;
  /** The value of `--config`. */
  readonly config: string | null;
  readonly home: string;
  readonly now: () => Date;
  /** Requests of other files of the project than its configuration: commands, skills. */
  readonly more?: readonly ProjectRequest[];
}

/** Reads all sources and decides about each member. Throws `WrongUsage` where something in a file is wrong. */
export async function openTrust(options: TrustOptions): Promise<Trust> {
  const { environment, project, config, home, now, more = [] } = options;
  const sources = await readSources(environment, project, config);
  const facts = factsOf(sources);
  const decided = membersOf(sources, project.directory).map((member) => ({ member, verdict: decide(member, facts) }));
  const places = await placesOf(sources.project, decided);
  const fileNotices: string[] = [];
  const texts = await textsOfMembers(decided, project, fileNotices);
  const asked = decided.flatMap(({ member, verdict }) =>
    verdict.effect === 'needs consent' ? [{ member, request: { ...verdict.request, place: places(member.path) } }] : [],
  );
  const wanted = [...asked.map(({ request }) => request), ...more];
  const refusals = decided.flatMap(({ verdict }): Refusal[] =>
    verdict.effect === 'refused' ? [{ what: verdict.what, reason: verdict.reason, place: places(verdict.path) }] : [],
  );
  // Most projects ask for nothing.
  const consents = async (): Promise<Consents> =>
    (await import('./consents.ts')).createConsents(home, project.directory, now);
  const kept = wanted.length === 0 ? [] : await (await consents()).read();
  const answers = new Map(kept.map(({ digest, answer }) => [digest, answer] as const));
  const decisions: Decision[] = [];
  const answerTo = (request: Pick<ProjectRequest, 'kind' | 'name' | 'shown'>): 'yes' | 'never' | null =>
    answers.get(digestOf(project.directory, request)) ?? null;

  async function note(request: ProjectRequest, answer: ConsentAnswer): Promise<void> {
    decisions.push({ request, answer });
    if (answer === 'no') return;
    answers.set(digestOf(project.directory, request), answer === 'once' ? 'yes' : answer);
    settings = settingsNow();
    if (answer !== 'once') await (await consents()).keep(request, answer);
  }

  const hasEffect = (member: Member, verdict: Verdict): boolean => {
    if (verdict.effect !== 'needs consent') return verdict.effect === 'applies';
    return (
      answerTo(verdict.request) === 'yes' && (member.kind !== 'model' || !member.atProjectGateway || gatewayIsGranted())
    );
  };
  const gatewayIsGranted = (): boolean =>
    decided.some(({ member, verdict }) => member.kind === 'gateway' && hasEffect(member, verdict));

  const settingsNow = (): Settings => {
    const inEffect = decided.flatMap(({ member, verdict }) => (hasEffect(member, verdict) ? [member] : []));
    const rulesOf = (origin: Member['origin']) => {
      const list = (kind: 'allow' | 'ask' | 'exclude'): readonly string[] =>
        inEffect.flatMap((one) => (one.kind === kind && one.origin === origin ? one.rules : []));
      return { allow: list('allow'), ask: list('ask'), exclude: list('exclude') };
    };
    return {
      gateway: sources.gateway,
      models: inEffect.flatMap((one) => {
        if (one.kind !== 'model') return [];
        return [one.origin === 'user' ? one.choice : { ...one.choice, apiKey: keyOf(one, facts) }];
      }),
      servers: inEffect.flatMap((one) => (one.kind === 'MCP server' ? [one.server] : [])),
      rules: texts.rules,
      prompts: texts.prompts,
      hooks: inEffect.flatMap((one) => (one.kind === 'hooks' ? one.hooks : [])),
      snapshots: inEffect.every((one) => one.kind !== 'snapshots' || one.value),
      permissions: permissionSettings([rulesOf('user'), rulesOf('project')]),
    };
  };
  let settings = settingsNow();

  return {
    get settings() {
      return settings;
    },
    get requests() {
      return wanted.map((request) => ({ ...request, answer: answerTo(request) }));
    },
    refusals,
    consents,
    isGranted: (request) => answerTo(request) === 'yes',
    async ask(person) {
      for (const request of wanted) if (answerTo(request) === null) await note(request, await person(request));
    },
    async agree() {
      for (const request of wanted) if (answerTo(request) !== 'yes') await note(request, 'yes');
    },
    ignored: () => [
      ...refusals.map(({ place, what, reason }) => `${place}: ${what} of this project is ignored. ${reason}`),
      ...fileNotices,
      ...wanted.flatMap((request) => {
        const answer = answerTo(request);
        if (answer === 'yes') return [];
        const why =
          answer === 'never'
            ? 'You declined it. To change that: gw trust --revoke'
            : 'Nobody agreed to it. To see it and agree: gw trust';
        return [`${request.place}: ${nameOf(request)} of this project is ignored. ${why}`];
      }),
    ],
    get ignoredModels() {
      return decided.flatMap(({ member, verdict }) =>
        member.kind === 'model' && verdict.effect === 'needs consent' && !hasEffect(member, verdict)
          ? [member.choice.name, ...(member.choice.id === member.choice.name ? [] : [member.choice.id])]
          : [],
      );
    },
    takeDecisions: () => decisions.splice(0),
  };
}

/** A request in words, for the middle of a sentence: `the model Helper (api.example)`. */
export function nameOf({ kind, name, shown: [first] }: ProjectRequest): string {
  if (kind === 'gateway') return `the member gateway (${name})`;
  return `the ${kind} ${name}${first?.[0] === 'Host' ? ` (${first[1]})` : ''}`;
}

async function textsOfMembers(
  decided: readonly { readonly member: Member; readonly verdict: Verdict }[],
  project: Project,
  notices: string[],
): Promise<{ readonly rules: readonly string[]; readonly prompts: readonly string[] }> {
  const found = { rule: [] as string[], prompt: [] as string[] };
  for (const { member, verdict } of decided) {
    if ((member.kind !== 'rule' && member.kind !== 'prompt') || verdict.effect !== 'applies') continue;
    const text = member.origin === 'user' ? member.text : await textOfProject(project, member.text, notices);
    if (text !== null) found[member.kind].push(text);
  }
  return { rules: found.rule, prompts: found.prompt };
}

/** Where members are in the project's file. The library for YAML is loaded only where there is something to say. */
async function placesOf(
  project: Source | null,
  decided: readonly { readonly verdict: Verdict }[],
): Promise<(path: Member['path']) => string> {
  const isQuiet = decided.every(({ verdict }) => verdict.effect === 'applies' || verdict.effect === 'changes nothing');
  if (project === null || isQuiet) return () => '';
  const { readYaml } = await import('../configuration/yaml-text.ts');
  const yaml = readYaml(project.text);
  return (path) => {
    const { line, column } = yaml.placeOf(path);
    return `${project.shown}:${line}:${column}`;
  };
}
