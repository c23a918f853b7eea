import { type AgentApp, agent, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../compose/session-options.ts';
import type { Context } from '../process/context.ts';
import { VERSION } from '../process/product.ts';
import { authMethods, signIn, signOut } from './authentication.ts';
import { NOTHING_OFFERED, type Offered, readOffered } from './offered.ts';
import { createOpenSessions } from './open-sessions.ts';
import { answering } from './request-error.ts';

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
