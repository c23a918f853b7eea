import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  type AuthMethod,
  agent,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type McpServer,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../compose/session-options.ts';
import { openWorkspace, type Workspace } from '../compose/workspace.ts';
import type { ServerConfiguration } from '../mcp/transport.ts';
import type { Context } from '../process/context.ts';
import { pathFrom } from '../process/environment.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { createFetch } from '../process/network.ts';
import { VERSION } from '../process/product.ts';
import { createSessionStore } from '../sessions/store.ts';
import { openBrowser } from '../sign-in/browser.ts';
import { readConfiguredGateway } from '../sign-in/configured-gateway.ts';
import { loginWithProvider } from '../sign-in/login.ts';
import { logout } from '../sign-in/logout.ts';
import { type EditorSession, openEditorSession } from './editor-session.ts';
import { answering, NOTHING_OFFERED, type Offered, readOffered, SignInNeeded } from './updates.ts';

const BROWSER = 'gateway-browser';

function authMethods(inTerminal: boolean): AuthMethod[] {
  const browser = { id: BROWSER, name: 'Sign in to the gateway', description: 'Opens your browser, as gw login does.' };
  const terminal = { ...browser, type: 'terminal' as const, id: 'gateway-terminal', args: ['--login'] };
  return inTerminal ? [browser, { ...terminal, name: 'Sign in to the gateway in a terminal' }] : [browser];
}

/** `gw login` on behalf of the editor. The address is on standard error, too, which editors keep in a log. */
async function signIn(context: Context, method: string, signal: AbortSignal): Promise<void> {
  if (method !== BROWSER) throw new WrongUsage(`There is no sign-in method ${JSON.stringify(method)}.`);
  const { environment, machine, terminal, now } = context;
  const home = homeOf(context);
  const gateway = await readConfiguredGateway(environment, null);
  const ports = { home, now, fetch: createFetch(environment.variables), signal };
  await loginWithProvider(gateway, ports, {
    flow: 'code',
    show(address) {
      terminal.report(`Sign in with your browser. If it does not open, open this address:\n\n${address}\n\n`);
      openBrowser(address, machine.platform, environment.variables);
    },
  });
}

async function signOut(context: Context): Promise<void> {
  const { environment } = context;
  const gateway = await readConfiguredGateway(environment, null);
  await logout(gateway, homeOf(context), createFetch(environment.variables));
}

/** Throws `SignInNeeded` if the model is the gateway's and no credential identifies the user. */
async function requireSignIn(workspace: Workspace): Promise<void> {
  const { model } = workspace;
  if (!model.atGateway) return;
  const proof = await workspace.proofFor(model).catch((error: Error) => {
    throw new SignInNeeded(error.message);
  });
  if (proof === null) throw new SignInNeeded('Nobody is signed in to the gateway. Sign in, or run gw login.');
}

function homeOf({ environment }: Context): string {
  if (environment.homeDirectory === null)
    throw new CommandFailed('You have no home directory to keep a sign-in in. Set HOME.');
  return environment.homeDirectory;
}

/** Sessions of one answer to session/list. */
const PAGE = 50;

/** The sessions that the editor opened in this connection. */
interface OpenSessions {
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

function createOpenSessions(of: {
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

export interface EditorAgent {
  readonly agent: AgentApp;
  /** Ends every session of the connection. */
  readonly close: () => Promise<void>;
}

/** The agent's side of the Agent Client Protocol, for one connection: each method is one call of `OpenSessions`. */
export function createEditorAgent(context: Context, options: SessionOptions): EditorAgent {
  let offered: Offered = NOTHING_OFFERED;
  const sessions = createOpenSessions({ context, options, offered: () => offered });
  const { session } = methods.agent;
  const app = agent({ name: 'gw' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      offered = readOffered(params.clientCapabilities);
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'gw', title: 'gw', version: VERSION },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
          auth: { logout: {} },
        },
        authMethods: authMethods(offered.terminalSignIn),
      };
    })
    .onRequest(methods.agent.authenticate, ({ params, signal }) =>
      answering(() => signIn(context, params.methodId, signal)),
    )
    .onRequest(methods.agent.logout, () => answering(() => signOut(context)))
    .onRequest(session.new, ({ params, client }) => answering(() => sessions.create(params, client)))
    .onRequest(session.load, ({ params, client }) => answering(() => sessions.load(params, client)))
    .onRequest(session.resume, ({ params, client }) => answering(() => sessions.resume(params, client)))
    .onRequest(session.list, ({ params }) => answering(() => sessions.list(params)))
    .onRequest(session.close, ({ params }) => answering(() => sessions.end(params.sessionId)))
    .onRequest(session.setMode, ({ params }) => answering(() => sessions.find(params.sessionId).setMode(params.modeId)))
    .onRequest(session.setConfigOption, ({ params }) =>
      answering(() => sessions.find(params.sessionId).setOption(params.configId, params.value)),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      answering(() => sessions.find(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => sessions.cancel(params.sessionId));
  return { agent: app, close: () => sessions.endAll() };
}
