import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import {
  type AgentContext,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type McpServer,
  type NewSessionRequest,
  type NewSessionResponse,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../compose/session-options.ts';
import { openWorkspace } from '../compose/workspace.ts';
import type { ServerConfiguration } from '../mcp/types.ts';
import type { Context } from '../process/context.ts';
import { pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { createSessionStore } from '../sessions/store.ts';
import { requireSignIn } from './authentication.ts';
import { type EditorSession, openEditorSession } from './editor-session.ts';
import type { Offered } from './offered.ts';

/** Sessions of one answer to session/list. */
const PAGE = 50;

/** The sessions that the editor opened in this connection. */
export interface OpenSessions {
  create(request: NewSessionRequest, client: AgentContext): Promise<NewSessionResponse>;
  /** Opens a saved session and shows its conversation. */
  load(request: LoadSessionRequest, client: AgentContext): Promise<LoadSessionResponse>;
  /** The same without showing the conversation. */
  resume(request: ResumeSessionRequest, client: AgentContext): Promise<LoadSessionResponse>;
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** Throws where the session is not open. */
  find(id: string): EditorSession;
  cancel(id: string): void;
  end(id: string): Promise<Record<string, never>>;
  endAll(): Promise<void>;
}

export function createOpenSessions(of: {
  readonly context: Context;
  readonly options: SessionOptions;
  readonly offered: () => Offered;
}): OpenSessions {
  const { context, offered } = of;
  const { environment } = context;
  // Each session has its own folder; what the command line names is found from where gw was started.
  const { config, addedFolders } = of.options;
  const options = {
    ...of.options,
    config: config === null ? null : pathFrom(environment, config),
    addedFolders: addedFolders.map((folder) => (folder.startsWith('~') ? folder : pathFrom(environment, folder))),
  };
  const open = new Map<string, EditorSession>();

  async function begin(
    request: { readonly cwd: string; readonly mcpServers?: readonly McpServer[] },
    client: AgentContext,
    saved: string | null,
  ): Promise<EditorSession> {
    const workingDirectory = await directoryOf(request.cwd);
    const workspace = await openWorkspace({ ...context, environment: { ...environment, workingDirectory } }, options);
    await requireSignIn(workspace);
    const state = saved === null ? null : await workspace.store.load(saved);
    if (saved !== null && state === null) throw RequestError.sessionNotFound(saved);
    if (saved !== null) await open.get(saved)?.close();
    const servers = (request.mcpServers ?? []).map(serverOf);
    const session = await openEditorSession({ workspace, client, offered: offered(), servers, state });
    open.set(session.id, session);
    return session;
  }

  async function endAll(): Promise<void> {
    const all = [...open.values()];
    open.clear();
    await Promise.all(all.map((session) => session.close()));
  }

  return {
    async create(request, client) {
      const session = await begin(request, client, null);
      return { sessionId: session.id, ...session.describe() };
    },
    async load(request, client) {
      const session = await begin(request, client, request.sessionId);
      await session.replay();
      return session.describe();
    },
    async resume(request, client) {
      return (await begin(request, client, request.sessionId)).describe();
    },
    async list({ cwd, cursor }) {
      if (cursor != null && !/^\d{1,9}$/.test(cursor)) throw new WrongUsage('The cursor is not one of session/list.');
      const directory = cwd == null ? null : await realpath(cwd).catch(() => cwd);
      if (environment.homeDirectory === null) throw new WrongUsage('You have no home directory. Set HOME.');
      const { sessions, notices } = await createSessionStore(environment.homeDirectory).list();
      for (const line of notices) context.terminal.report(`gw: ${line}\n`);
      const all = sessions.filter((one) => directory === null || one.directory === directory);
      const from = Number(cursor ?? 0);
      return {
        sessions: all
          .slice(from, from + PAGE)
          .map((one) => ({ sessionId: one.id, cwd: one.directory, title: one.title, updatedAt: one.updatedAt })),
        ...(all.length > from + PAGE ? { nextCursor: String(from + PAGE) } : {}),
      };
    },
    find(id) {
      const session = open.get(id);
      if (session === undefined) throw RequestError.sessionNotFound(id);
      return session;
    },
    cancel: (id) => open.get(id)?.cancel(),
    async end(id) {
      const session = open.get(id);
      if (session === undefined) throw RequestError.sessionNotFound(id);
      open.delete(id);
      await session.close();
      return {};
    },
    endAll,
  };
}

async function directoryOf(cwd: string): Promise<string> {
  if (!isAbsolute(cwd)) throw new WrongUsage(`cwd must be an absolute path, not ${JSON.stringify(cwd)}.`);
  return realpath(cwd).catch(() => {
    throw new WrongUsage(`The folder ${cwd} does not exist, or you cannot read it.`);
  });
}

/** The editor's user chose these servers. */
function serverOf(server: McpServer): ServerConfiguration {
  if ('url' in server) {
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    const type = server.type === 'sse' ? ('sse' as const) : ('streamable-http' as const);
    return { name: server.name, url: server.url, type, headers, ofProject: false };
  }
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  return { name: server.name, command: server.command, args: server.args, env, ofProject: false };
}
