import { join } from 'node:path';
import { createSession } from '../agent/session.ts';
import { newState } from '../agent/state.ts';
import type { AgentSession, Mode, SessionState } from '../agent/types/index.ts';
import { Locked, takeLock } from '../files/lock.ts';
import { ownFolder } from '../files/replace.ts';
import { createServers, findNamedServers } from '../mcp/servers.ts';
import { openOrganization } from '../organization/open.ts';
import { WrongUsage } from '../process/fault.ts';
import { maskSecrets } from '../redaction/secrets.ts';
import { undoFolder } from '../sessions/objects.ts';
import { createGitIndex, createSnapshots, NO_SNAPSHOTS } from '../sessions/snapshots.ts';
import { credentialsFile } from '../sign-in/credentials-file.ts';
import { createLocalCommands, ordinaryVariables, variablesOf } from '../tools/create-runner.ts';
import { composeDependencies, type EditorPorts, type Shared } from './dependencies.ts';
import type { Workspace } from './workspace.ts';

export interface SessionStart {
  /** A saved session to resume; null begins a new one. */
  readonly state: SessionState | null;
  readonly interactive: boolean;
  readonly mode: Mode;
  /** One message and its end (`-p`): nobody can undo anything. */
  readonly once?: { readonly mostRounds: number | null };
  /** Commands get no variable whose name or value looks like a secret. */
  readonly ordinaryVariables?: boolean;
  /** One question for several calls of one answer. */
  readonly asksTogether?: boolean;
  /** Only where an editor runs the session, whose identifier it is given. */
  readonly editor?: (session: string) => EditorPorts;
}

/** Bytes of a text in which secrets are looked for before it is copied for undo. What people write is below. */
const LARGEST_SCANNED = 1024 * 1024;

function holdsSecret(content: Uint8Array): boolean {
  if (content.length > LARGEST_SCANNED || content.includes(0)) return false;
  return maskSecrets(Buffer.from(content).toString()).masked > 0;
}

/** Composes a session from its adapters. Nothing is written and nothing sent before the first message. */
export async function openSession(workspace: Workspace, start: SessionStart): Promise<AgentSession> {
  const { context, home, settings, clock, project, cwd } = workspace;
  const { gateway } = settings;
  const organization = await openOrganization({
    variables: context.environment.variables,
    userName: context.environment.userName,
    home,
    gateway,
    credential: gateway === null ? null : await workspace.gatewayProof().catch(() => null),
    now: context.now,
    mask: (text) => maskSecrets(text).text,
    fetch: workspace.fetch,
  });
  const choice = start.state === null ? null : workspace.findModel(start.state.model);
  const named = workspace.options.model !== null || workspace.agent?.model != null;
  const model = named || choice === null ? workspace.createModel(workspace.model) : choice;
  // A new session is saved from its first message on; nothing is written before.
  let giveBack = start.state === null ? null : await keepSessionOpen(home, start.state.id);
  // What another process saved just before it gave the session back counts.
  const latest = start.state === null ? null : await workspace.store.load(start.state.id);
  const state =
    latest ??
    start.state ??
    newState({ now: context.now(), directory: cwd, project: project.directory, model: model.name });
  const editor = start.editor?.(state.id) ?? null;
  const keys = [workspace.model, ...settings.models].flatMap(({ apiKey }) => apiKey ?? []);
  const added = await findNamedServers(context.environment, workspace.options.servers);
  const shared: Shared = {
    workspace,
    organization,
    interactive: start.interactive,
    commands: createLocalCommands(
      start.ordinaryVariables === true
        ? { ...context.environment, variables: ordinaryVariables(context.environment.variables) }
        : context.environment,
      keys,
    ),
    hookVariables: settings.hooks.length === 0 ? {} : variablesOf(context.environment.variables, keys),
    snapshots:
      start.once !== undefined || !settings.snapshots
        ? NO_SNAPSHOTS
        : createSnapshots(project.directory, undoFolder(home), {
            holdsSecret,
            index:
              project.repository && !project.foreign
                ? createGitIndex(project.directory, undoFolder(home), context.environment)
                : undefined,
          }),
    servers: createServers(
      () => [...added, ...(editor?.servers ?? []), ...workspace.settings.servers],
      project.directory,
      credentialsFile(home).servers,
    ),
    editor,
  };
  let session: AgentSession | null = null;
  let saved: SessionState | null = null;
  const dependencies = composeDependencies(shared, {
    async begin() {
      giveBack ??= await keepSessionOpen(home, state.id);
    },
    async end() {
      await giveBack?.();
      giveBack = null;
    },
    session: state.id,
    parentSession: null,
    mode: () => session?.mode ?? start.mode,
    offered: workspace.agent?.tools ?? null,
    save: async (next) => {
      if (next === saved) return; // nothing changed since
      await workspace.store.save(next);
      saved = next;
    },
    model: model.name,
    resumed: start.state !== null,
  });
  session = createSession(
    {
      ...dependencies,
      asksTogether: start.asksTogether === true,
      ...(start.once?.mostRounds == null ? {} : { mostRounds: start.once.mostRounds }),
      async createChild(name, inTurn) {
        const { findAgent } = await import('../instructions/find-agent.ts');
        const agent = name === null ? null : await findAgent(context.environment, project, 'agent', name);
        const own = (agent?.model == null ? null : workspace.findModel(agent.model)) ?? session?.model ?? model;
        const child = newState({
          now: clock.now(),
          directory: cwd,
          project: project.directory,
          model: own.name,
          parent: state.id,
        });
        const childDependencies = composeDependencies(shared, {
          begin: async () => undefined,
          end: async () => undefined,
          session: child.id,
          parentSession: state.id,
          mode: () => session?.mode ?? start.mode,
          offered: agent?.tools ?? null,
          agentPrompt: agent?.prompt ?? null,
          save: async () => undefined,
          model: own.name,
          resumed: false,
        });
        return createSession(childDependencies, {
          state: child,
          model: own,
          mode: session?.mode ?? start.mode,
          parentSession: state.id,
          inTurn,
        });
      },
    },
    { state, model, mode: start.mode },
  );
  return session;
}

/** How long, in milliseconds, a process that is about to end may still hold a session. */
const PATIENCE_MS = 300;

/**
 * Locks a session for this process: two processes with one session would overwrite each other's conversation. The returned
 * function releases it; so does the end of the process.
 * @throws WrongUsage if another process has it open, with a hint how to copy it.
 */
export async function keepSessionOpen(home: string, id: string): Promise<() => Promise<void>> {
  const folder = join(home, '.gateway', 'locks');
  await ownFolder(folder);
  try {
    return await takeLock(join(folder, `${id}.lock`), PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    throw new WrongUsage(
      `The session ${id} is open already, in ${error.owner}. End it there, or continue with a copy: gw --fork ${id}`,
    );
  }
}
