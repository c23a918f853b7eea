import { isAccountKey } from '@gateway/contract/account-key';
import type { AgentDependencies } from '../agent/dependencies.ts';
import { isOffered } from '../agent/session.ts';
import type {
  EditorFiles,
  Json,
  Mode,
  Organization,
  PolicyInForce,
  RecordWriter,
  SessionState,
  Snapshots,
  Tool,
} from '../agent/types/index.ts';
import { createSkillTool, skillLines } from '../extend/extension-files.ts';
import { createHooks } from '../extend/hooks.ts';
import { instructionsAbove } from '../instructions/collect.ts';
import type { Servers } from '../mcp/servers.ts';
import { createToolSearch } from '../mcp/tool-search.ts';
import type { ServerConfiguration } from '../mcp/transport.ts';
import { claimsIn } from '../organization/control-plane.ts';
import { resolvePath } from '../permissions/bash/resolved-path.ts';
import type { LocalPermissions, PermissionOptions } from '../permissions/permissions.ts';
import { askGit, findProgram, searchPath } from '../process/ask-git.ts';
import { recordPath } from '../record/entry.ts';
import { createRecordWriter } from '../record/writer.ts';
import { maskSecrets } from '../redaction/secrets.ts';
import { type LocalCommands, withExclusions } from '../tools/create-runner.ts';
import { createGatewayRunner } from '../tools/gateway-runner.ts';
import { type CommandRunner, createJobs } from '../tools/jobs.ts';
import { createFileLedger } from '../tools/text-file.ts';
import type { ToolDependencies } from '../tools/tools.ts';
import { policyRules } from './rules.ts';
import { systemPrompt } from './system-prompt.ts';
import type { ModelGuard, Workspace } from './workspace.ts';

/** The policy that counts now; a change of it is recorded. */
export function followPolicy(organization: Organization, record: RecordWriter, models: Pick<ModelGuard, 'follow'>) {
  let revision: Json = null;
  let document: Json = null;
  let rules = policyRules({ tools: {} });
  let commands: PolicyInForce['commands'] = 'workstation';
  return {
    rules: () => rules,
    /** Where the commands of agents run now. */
    commands: () => commands,
    async refresh(): Promise<readonly string[]> {
      const policy = await organization.policy();
      if (policy.revision !== revision) {
        const change = { revision: policy.revision, source: policy.source, before: document, after: policy.document };
        await record.append({ kind: 'policy-change', ...change });
        revision = policy.revision;
        document = policy.document;
      }
      rules = policyRules(policy);
      models.follow(policy.document);
      commands = policy.commands;
      return policy.notice === null ? [] : [policy.notice];
    },
  };
}

/** The tools of a session; loaded when the first message is sent. */
async function builtInTools(dependencies: ToolDependencies): Promise<readonly Tool[]> {
  const { createTools } = await import('../tools/tools.ts');
  return createTools(dependencies);
}

/** Calls of the model in one turn, at most. */
const MOST_STEPS = 250;

/** What an editor lends to a session. Permissions, policy and record are the same with it. */
export interface EditorPorts {
  readonly files: EditorFiles | null;
  /** Runs commands in the editor's terminals, where it offers them. */
  runner(local: LocalCommands): CommandRunner;
  readonly servers: readonly ServerConfiguration[];
}

/** What a session shares with its sub-agents. */
export interface Shared {
  readonly workspace: Workspace;
  readonly organization: Organization;
  readonly interactive: boolean;
  readonly commands: LocalCommands;
  readonly servers: Servers;
  readonly snapshots: Snapshots;
  readonly editor: EditorPorts | null;
  /** The environment of hooks. */
  readonly hookVariables: Readonly<Record<string, string>>;
}
/** What a session, or a sub-agent, has for itself. */
export interface Own {
  /** Before the first message, and after the last one. */
  begin(): Promise<void>;
  end(): Promise<void>;
  readonly session: string;
  readonly parentSession: string | null;
  mode(): Mode;
  /** Names of the tools that are offered; null offers all. */
  readonly offered: readonly string[] | null;
  readonly agentPrompt?: string | null;
  readonly save: (state: SessionState) => Promise<void>;
  readonly model: string;
  readonly resumed: boolean;
}

/**
 * The rules are loaded with the first call of a tool: the tables of programs and the grammar of Bash are a fifth of what a session
 * would load at its start, and an answer without a call needs none of it.
 */
function permissionsFromFirstCall(options: PermissionOptions): LocalPermissions {
  let loading: Promise<LocalPermissions> | null = null;
  const loaded = (): Promise<LocalPermissions> => {
    loading ??= import('../permissions/permissions.ts').then(({ createPermissions }) => createPermissions(options));
    return loading;
  };
  return {
    judge: async (...asked) => (await loaded()).judge(...asked),
    readsOnly: async (...asked) => (await loaded()).readsOnly(...asked),
    offers: async (...asked) => (await loaded()).offers(...asked),
    remember: async (...asked) => (await loaded()).remember(...asked),
    excludedPaths: async () => (await loaded()).excludedPaths(),
  };
}

export function composeDependencies(shared: Shared, own: Own): AgentDependencies {
  const { workspace, organization, interactive, commands, servers, editor } = shared;
  const runner = editor?.runner(commands) ?? commands.runner;
  const { context, home, clock, project, cwd, promptFacts } = workspace;
  const mask = maskSecrets;
  const record = createRecordWriter({
    path: recordPath(home, own.session),
    now: context.now,
    mask: (text) => mask(text).text,
  });
  const governed = followPolicy(organization, record, workspace.modelGuard);
  let begun = false;
  let tools: Promise<readonly Tool[]> | null = null;
  const search = createToolSearch();
  const permissions = permissionsFromFirstCall({
    project: project.directory,
    directory: cwd,
    home,
    rules: () => ({
      policy: governed.rules(),
      options: workspace.optionRules,
      configuration: workspace.settings.permissions,
      interactive,
      ownFolder: workspace.ownFolder,
      addedFolders: workspace.addedFolders,
      skillFolders: workspace.skillFolders,
    }),
    approvals: workspace.approvals,
    mask,
    // What runs on the gateway has no view of the project that could be read-only.
    hasReadOnlySandbox: async () => governed.commands() === 'workstation' && (await commands.hasSandbox()),
    ...(searchPath(context.environment).relative
      ? { isSuppliedByProject: async (name: string) => (await findProgram(name, context.environment)) === null }
      : {}),
    async gitStarts(folder) {
      const git = await findProgram('git', context.environment);
      const { programOfRepository } = await import('../process/git-settings.ts');
      return git === null ? null : programOfRepository(git, folder, context.environment);
    },
    gitAliases: async () => {
      const { readAliases } = await import('../permissions/bash/git-aliases.ts');
      const git = await findProgram('git', context.environment);
      const words = ['config', '-z', '--get-regexp', '^alias\\.'];
      return readAliases(
        git === null ? '' : (await askGit(git, words, context.environment, { directory: cwd })).output,
      );
    },
  });
  const jobs = createJobs();
  const atGateway = (): CommandRunner => {
    // The policy comes from the gateway, so there is one.
    const gateway = workspace.settings.gateway ?? '';
    return createGatewayRunner({ gateway, post: workspace.post, proof: () => workspace.gatewayProof() });
  };
  return {
    clock,
    async tools() {
      tools ??= builtInTools({
        jobs,
        runner: async () => (governed.commands() === 'gateway' ? atGateway() : withExclusions(runner, permissions)),
        statusTool: workspace.options.statusTool,
        variables: context.environment.variables,
      });
      const isChild = own.parentSession !== null;
      await servers.settled();
      const skills = workspace.skills();
      return [
        ...(await tools),
        ...(skills.length === 0 ? [] : [createSkillTool(() => workspace.skills())]),
        ...search.offer(servers.tools()),
      ].filter(({ name }) => !(isChild && name === 'Agent') && (own.offered === null || isOffered(name, own.offered)));
    },
    permissions,
    record,
    organization,
    // What a sub-agent changes belongs to the turn of its parent.
    snapshots:
      own.parentSession === null
        ? shared.snapshots
        : { ...shared.snapshots, begin: async () => undefined, end: async () => undefined },
    jobs,
    files: createFileLedger(),
    ...(editor?.files == null ? {} : { editor: editor.files }),
    mask,
    cwd,
    home,
    systemPrompt: () => {
      const masked = (text: string): string => mask(text).text;
      const prompt = systemPrompt(promptFacts, own.mode(), governed.commands(), masked);
      const skills = skillLines(workspace.skills());
      const text = skills === null ? prompt : `${prompt}\n\n${masked(skills)}`;
      return own.agentPrompt == null ? text : `${text}\n\n${masked(own.agentPrompt)}`;
    },
    save: own.save,
    mostSteps: MOST_STEPS,
    interactive,
    async nestedInstructions(path) {
      const resolved = await resolvePath(path, project.directory, cwd);
      return instructionsAbove(project, resolved.path);
    },
    ...(workspace.settings.hooks.length === 0
      ? {}
      : {
          hooks: (notice) =>
            createHooks(workspace.settings.hooks, {
              cwd,
              session: own.session,
              variables: shared.hookVariables,
              notice,
            }),
        }),
    servers: () => servers.list(),
    async beforeTurn() {
      if (!begun) {
        await own.begin();
        const authentication = await authenticationOf(workspace);
        await Promise.all([
          record.append({
            kind: 'session-started',
            directory: cwd,
            project: project.directory,
            model: own.model,
            mode: own.mode(),
            ...(own.parentSession === null ? {} : { parentSession: own.parentSession }),
            ...(own.resumed ? { resumed: true } : {}),
          }),
          record.append({ kind: 'authentication', ...authentication }),
        ]);
        begun = true;
      }
      // Answers about the project, before anything that they allow is done.
      for (const { request, answer } of workspace.trust.takeDecisions()) {
        const decision = answer === 'yes' || answer === 'once' ? 'allow' : 'deny';
        const remembered = answer === 'yes' || answer === 'never' ? { remembered: 'project' } : {};
        const target = request.shown.map(([label, value]) => `${label}: ${value}`).join('\n');
        await record.append({
          kind: 'human-decision',
          tool: `${request.kind} ${request.name}`,
          target,
          decision,
          ...remembered,
        });
      }
      return [...(await governed.refresh()), ...(await servers.start())];
    },
    async close() {
      await jobs.stopAll();
      if (own.parentSession === null) await servers.close();
      if (begun) await record.append({ kind: 'session-ended' });
      begun = false;
      await own.end();
      await organization.flush();
    },
  };
}

/** How the session proves its user's identity, without the proof. */
async function authenticationOf(workspace: Workspace): Promise<Readonly<Record<string, Json>>> {
  const proof = await workspace.gatewayProof().catch(() => null);
  const method = proof === null ? 'none' : isAccountKey(proof) ? 'account key' : 'token';
  const { sub } = claimsIn(proof ?? '');
  return { gateway: workspace.settings.gateway, method, ...(typeof sub === 'string' ? { subject: sub } : {}) };
}
