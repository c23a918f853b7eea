import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, type Json, type Model, ModelRefused, type SessionState } from '../agent/types/index.ts';
import { chooseModel, findModel, type ModelChoice } from '../configuration/settings.ts';
import {
  commandIn,
  type ExtensionFile,
  expandCommand,
  findCommands,
  findSkills,
  type OwnCommand,
  requestOf,
  type Skill,
} from '../extend/extension-files.ts';
import { expandHome } from '../files/listing.ts';
import { findProject, type Project } from '../files/project.ts';
import { collectInstructions } from '../instructions/collect.ts';
import type { FoundAgent } from '../instructions/find-agent.ts';
import { createChatModel } from '../models/chat-completions.ts';
import { createPost, type Post } from '../models/http.ts';
import { type Approvals, createApprovals } from '../permissions/approvals.ts';
import { realPathOf } from '../permissions/bash/resolved-path.ts';
import type { Context } from '../process/context.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { createFetch } from '../process/network.ts';
import { createSessionStore, type SessionStore } from '../sessions/store.ts';
import { createKeptCredentials } from '../sign-in/kept-credential.ts';
import { textsOf } from '../trust/decide.ts';
import type { Settings, Trust } from '../trust/open.ts';
import type { AskPerson, Origin } from '../trust/sources.ts';
import { optionRules } from './rules.ts';
import { openProjectTrust, type SessionOptions } from './session-options.ts';
import type { PromptFacts } from './system-prompt.ts';

export function createClock(now: () => Date): Clock {
  return {
    now,
    async sleep(milliseconds, signal) {
      await pause(milliseconds, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    },
  };
}

/** Everything that is read once before sessions begin: settings, agent, instructions. No connection is made. */
export interface Workspace {
  readonly context: Context;
  readonly options: SessionOptions;
  readonly clock: Clock;
  readonly home: string;
  readonly project: Project;
  /** Working directory: absolute, links resolved. */
  readonly cwd: string;
  /** What counts in this project, and what the person is still to be asked about. */
  readonly trust: Trust;
  /** As the answers of the person make it: it may change before the first message. */
  readonly settings: Settings;
  readonly model: ModelChoice;
  readonly agent: FoundAgent | null;
  readonly promptFacts: PromptFacts;
  /** Commands and skills of the user, and those of the project that the user agreed to. */
  commands(): readonly OwnCommand[];
  skills(): readonly Skill[];
  readonly optionRules: ReturnType<typeof optionRules>;
  readonly store: SessionStore;
  readonly approvals: Approvals;
  /** `~/.gateway`, links resolved. */
  readonly ownFolder: string;
  /** Folders of `--add-dir`: absolute, links resolved. */
  readonly addedFolders: readonly string[];
  /** Folders of the user's skills: absolute, links resolved. */
  readonly skillFolders: readonly string[];
  /** `fetch` by the user's proxies. */
  readonly fetch: typeof fetch;
  /** What the person should know before the first message, with what of the project has no effect. */
  notices(): readonly string[];
  /** The credential for a model: its apiKey, else the one that `gw login` stored for the gateway. */
  proofFor(choice: ModelChoice): Promise<string | null>;
  /** The credential for the gateway itself: the key of a model there, else the one that `gw login` stored. */
  gatewayProof(): Promise<string | null>;
  readonly post: Post;
  /** The model of a choice. */
  readonly modelGuard: ModelGuard;
  createModel(choice: ModelChoice): Model;
  /** By name or identifier; null where there is none. */
  findModel(name: string): Model | null;
  /** The first message: what was piped in, --prompt, the agent, the prompt. Null where there is none of them. */
  firstMessage(piped: string, prompt: string | null): Promise<string | null>;
}

/**
 * Opens the workspace of a command line.
 * @param person asks about what the project's files add. Without it nobody is asked, and what nobody agreed to has no effect.
 * @throws WrongUsage where an option or the configuration is wrong.
 */
export async function openWorkspace(context: Context, options: SessionOptions, person?: AskPerson): Promise<Workspace> {
  const { environment } = context;
  const home = environment.homeDirectory;
  if (home === null)
    throw new WrongUsage('You have no home directory. Set HOME: sessions and their record are kept there.');
  if (environment.workingDirectory === null)
    throw new CommandFailed('The current folder no longer exists. Change to another one.');
  const cwd = realpathSync.native(environment.workingDirectory);
  const project = await findProject(cwd, environment.userId);
  if (options.org !== null)
    throw new WrongUsage(
      `--org ${options.org}: organizations do not resolve, because there is no registry. Remove --org.`,
    );
  const rules = optionRules(options.tools, home);
  const addedFolders = options.addedFolders.map((folder) => folderOf(environment, folder));
  const trust = await openProjectTrust(context, project, home, options.config);
  if (person !== undefined) await trust.ask(person);
  const agent = options.agent === null ? null : await agentOf(environment, project, options.agent);
  const asked = { option: options.model, agent: agent?.model ?? null };
  const model = chooseModel(trust.settings.models, asked, trust.ignoredModels);
  const instructions = await collectInstructions(project, home);
  const clock = createClock(context.now);
  const post = createPost(environment.variables);
  const notices = [...instructions.notices];
  const given = (option: string, words: readonly string[], origin: Origin = 'user'): Promise<readonly string[]> =>
    textsOf(environment, project, { origin, option, words }, notices);
  const promptFacts: PromptFacts = {
    project: project.directory,
    cwd,
    addedFolders,
    repository: project.repository,
    platform: context.machine.platform,
    today: context.now().toISOString().slice(0, 10),
    instructions: instructions.found,
    rules: [
      ...trust.settings.rules,
      ...(await given('--rule', options.rules)),
      ...(await given('rules of the agent:', agent?.rules ?? [], agent?.origin)),
    ],
  };
  const [commands, skills] = await Promise.all([findCommands(project, home), findSkills(project, home)]);
  // Those of a project need the person's consent.
  const counts =
    (kind: 'command' | 'skill') =>
    ({ file }: { readonly file: ExtensionFile }): boolean =>
      file.origin === 'user' || trust.isGranted(requestOf(kind, file, project.directory));
  const prompts = await given('--prompt', options.prompts);
  const fetch = createFetch(environment.variables);
  const kept = createKeptCredentials({ home, now: context.now, fetch });
  const { gateway } = trust.settings;
  const proofFor = async (choice: ModelChoice): Promise<string | null> =>
    choice.apiKey ?? (choice.atGateway && gateway !== null ? kept.proofFor(gateway) : null);
  const gatewayProof = async (): Promise<string | null> => {
    const own = [model, ...trust.settings.models].filter(({ ofProject }) => ofProject !== true);
    const choice = own.find((one) => one.atGateway && one.apiKey !== null);
    if (choice !== undefined) return proofFor(choice);
    return gateway === null ? null : kept.proofFor(gateway);
  };
  const modelGuard = createModelGuard();
  const createModel = (choice: ModelChoice): Model => {
    const made = createChatModel({ ...choice, key: () => proofFor(choice) }, post, clock);
    const host = choice.atGateway ? {} : { host: new URL(choice.address).host };
    return modelGuard.guard({ ...made, ...host }, choice.atGateway);
  };
  return {
    context,
    options,
    clock,
    home,
    project,
    cwd,
    trust,
    get settings() {
      return trust.settings;
    },
    model,
    agent,
    promptFacts,
    commands: () => commands.filter(counts('command')),
    skills: () => skills.filter(counts('skill')),
    optionRules: rules,
    store: createSessionStore(home),
    approvals: createApprovals({ home, project: project.directory, now: context.now }),
    addedFolders,
    skillFolders: await Promise.all(
      skills.flatMap(({ file }) => (file.origin === 'user' ? [realPathOf(dirname(file.path))] : [])),
    ),
    ownFolder: await realPathOf(join(home, '.gateway')),
    notices: () => [...notices, ...trust.ignored()],
    fetch,
    proofFor,
    gatewayProof,
    post,
    modelGuard,
    createModel,
    findModel(name) {
      const choice = findModel(trust.settings.models, name);
      return choice === null ? null : createModel(choice);
    },
    async firstMessage(piped, prompt) {
      const named = prompt === null ? null : commandIn(prompt, commands.filter(counts('command')));
      const asked = named === null ? prompt : expandCommand(named.command.body, named.given);
      const parts = [piped, ...prompts, agent?.prompt ?? '', asked ?? ''].map((part) => part.trim());
      const message = parts.filter((part) => part !== '').join('\n\n');
      return message === '' ? null : message;
    },
  };
}

/** A folder of `--add-dir`, links resolved. */
function folderOf(environment: Environment, folder: string): string {
  const path = pathFrom(environment, expandHome(folder, environment.homeDirectory));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync.native(path);
  throw new WrongUsage(`--add-dir ${folder}: there is no such folder. Correct the path.`);
}

async function agentOf(environment: Environment, project: Project, name: string): Promise<FoundAgent> {
  const { findAgent } = await import('../instructions/find-agent.ts');
  return findAgent(environment, project, '--agent', name);
}

/** The session to resume. Throws `WrongUsage` if there is none. */
export async function readSavedState(
  { store, project }: Workspace,
  asked: {
    readonly resume: boolean;
    readonly resumeId?: string | null;
    readonly fork: string | null;
    readonly session?: string | null;
  },
  report: (line: string) => void,
): Promise<SessionState | null> {
  if (asked.fork !== null) {
    const state = await store.load(asked.fork);
    if (state === null)
      throw new WrongUsage(`--fork ${asked.fork}: there is no session of this identifier. Run gw ls.`);
    return state;
  }
  if (asked.session != null) return store.load(asked.session);
  if (!asked.resume) return null;
  const { sessions, notices } = await store.list();
  for (const line of notices) report(line);
  if (asked.resumeId != null) return namedBy(asked.resumeId, sessions);
  const latest = sessions.find((one) => one.project === project.directory);
  if (latest === undefined)
    throw new WrongUsage('--resume: there is no session of this repository yet. Start one without --resume.');
  return latest;
}

/** The session whose identifier begins so. Throws `WrongUsage` where there is none, or more than one. */
function namedBy(beginning: string, sessions: readonly SessionState[]): SessionState {
  const found = sessions.filter(({ id }) => id.startsWith(beginning.toLowerCase()));
  const [one, other] = found;
  if (one === undefined) throw new WrongUsage(`--resume ${beginning}: no session has this identifier. Run gw ls.`);
  if (other === undefined) return one;
  throw new WrongUsage(
    `--resume ${beginning}: ${found.length} sessions begin so. Give more of the identifier: gw ls --json lists them.`,
  );
}

const DIRECT_REFUSED =
  'The policy of your organization lists the providers that may be used, so only models behind its gateway are. Choose one with --model or /model, or give the model an endpoint in the configuration.';

/** Refuses models that do not go through the gateway while the organization's policy lists providers: the gateway checks the others. */
export function createModelGuard() {
  let listsProviders = false;
  return {
    /** @param document of the policy in force; null: none. */
    follow(document: Json): void {
      const models = memberOf(document, 'models');
      listsProviders = Array.isArray(memberOf(models, 'providers'));
    },
    /** @param atGateway whether the gateway sees the model's calls. */
    guard(model: Model, atGateway: boolean): Model {
      if (atGateway) return model;
      return {
        ...model,
        stream(request, signal) {
          if (listsProviders) throw new ModelRefused(DIRECT_REFUSED, 403, false);
          return model.stream(request, signal);
        },
      };
    },
  };
}

export type ModelGuard = ReturnType<typeof createModelGuard>;

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
