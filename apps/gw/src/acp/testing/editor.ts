import {
  type ClientCapabilities,
  type ClientContext,
  client,
  methods,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { parseSessionOptions } from '../../cli/session/options.ts';
import { openSessionWorld, type SessionWorld } from '../../testing/session-world.ts';
import type { RunOptions } from '../../testing/world.ts';
import { createEditorAgent } from '../agent.ts';

/** An editor that is connected to the agent: the client's side of the official SDK, in this process. */
export interface Editor {
  readonly world: SessionWorld;
  readonly agent: ClientContext;
  /** Every update, in order. */
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  /** Kind of the option to choose for each permission request; `cancelled` chooses none. Once used up, `reject_once`. */
  readonly choices: ('allow_once' | 'allow_always' | 'reject_once' | 'cancelled')[];
  /** Files of the editor by absolute path; those that are not here it does not give. */
  readonly files: Map<string, string>;
  /** Answers to forms; null declines. */
  readonly answers: (string | null)[];
  /** Commands that the editor's terminals ran, as program and words. */
  readonly commands: string[][];
  /** What the editor fails at from now on. */
  readonly failing: Set<'write' | 'terminal' | 'exit' | 'permission' | 'form'>;
  /** What its terminals show. */
  readonly shown: { output: string; truncated: boolean };
  open(more?: object): Promise<string>;
  say(sessionId: string, text: string): Promise<string>;
  of<Kind extends SessionUpdate['sessionUpdate']>(kind: Kind): Extract<SessionUpdate, { sessionUpdate: Kind }>[];
  close(): Promise<void>;
}

export async function openEditor(capabilities: ClientCapabilities = {}, change: RunOptions = {}): Promise<Editor> {
  const world = await openSessionWorld();
  onTestFinished(() => world.end());
  return connectEditor(world, capabilities, change);
}

/** Another connection to the same home and project. */
export async function connectEditor(
  world: SessionWorld,
  capabilities: ClientCapabilities = {},
  change: RunOptions = {},
): Promise<Editor> {
  const { agent: app, close } = createEditorAgent(
    world.context(change),
    parseSessionOptions({ options: [], positionals: [] }),
  );
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const choices: Editor['choices'] = [];
  const files = new Map<string, string>();
  const answers: (string | null)[] = [];
  const commands: string[][] = [];
  const failing: Editor['failing'] = new Set();
  const shown = { output: 'from the editor\r\n', truncated: false };
  const failAt = (what: Parameters<typeof failing.has>[0]): void => {
    if (failing.has(what)) throw new RequestError(-32603, 'The editor is busy.');
  };
  const connection = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      failAt('permission');
      const choice = choices.shift() ?? 'reject_once';
      const option = params.options.find(({ kind }) => kind === choice);
      return {
        outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId },
      };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = files.get(params.path);
      if (content === undefined) throw new Error('not in this workspace');
      return { content };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      failAt('write');
      files.set(params.path, params.content);
      return {};
    })
    .onRequest(methods.client.elicitation.create, () => {
      failAt('form');
      const answer = answers.shift() ?? null;
      return answer === null ? { action: 'decline' } : { action: 'accept', content: { answer } };
    })
    .onRequest(methods.client.terminal.create, ({ params }) => {
      failAt('terminal');
      commands.push([params.command, ...(params.args ?? [])]);
      return { terminalId: `terminal-${commands.length}` };
    })
    .onRequest(methods.client.terminal.waitForExit, () => {
      failAt('exit');
      return { exitCode: 0 };
    })
    .onRequest(methods.client.terminal.output, () => shown)
    .onRequest(methods.client.terminal.kill, () => ({}))
    .onRequest(methods.client.terminal.release, () => ({}))
    .connect(app);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: capabilities });
  const end = async (): Promise<void> => {
    connection.close();
    await close();
  };
  onTestFinished(end);
  return {
    world,
    agent,
    updates,
    asked,
    choices,
    files,
    answers,
    commands,
    failing,
    shown,
    async open(more = {}) {
      const { sessionId } = await agent.request(methods.agent.session.new, {
        cwd: world.project,
        mcpServers: [],
        ...more,
      });
      return sessionId;
    },
    async say(sessionId, text) {
      const { stopReason } = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text }],
      });
      return stopReason;
    },
    of: (kind) => updates.filter((update): update is never => update.sessionUpdate === kind),
    close: end,
  };
}
