import { randomUUID } from 'node:crypto';
import {
  type AgentContext,
  type ContentBlock,
  methods,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { legible } from '@gateway/contract/legible';
import type { AgentEvent, AgentSession, SessionState, TurnOutcome } from '../agent/types.ts';
import { openSession } from '../compose/open-session.ts';
import type { Workspace } from '../compose/workspace.ts';
import type { ServerConfiguration } from '../mcp/types.ts';
import { WrongUsage } from '../process/fault.ts';
import { modeNamed, modesOf, optionsOf } from './choices.ts';
import { consentIn } from './consent.ts';
import { editorFiles } from './editor-files.ts';
import { editorRunner } from './editor-terminal.ts';
import { messageOf, withFittingImages } from './message.ts';
import type { Offered } from './offered.ts';
import { askPermission } from './permission.ts';
import { askInEditor } from './question.ts';
import { replayOf } from './replay.ts';
import { SignInNeeded } from './request-error.ts';
import { createUpdates } from './updates.ts';

const INVALID_REQUEST = -32600;

/** One session of the editor. */
export interface EditorSession {
  readonly id: string;
  /** What the editor gets when it opens the session. */
  describe(): { readonly modes: SessionModeState; readonly configOptions: SessionConfigOption[] };
  /** Shows the saved conversation. Resolves once it is sent. */
  replay(): Promise<void>;
  setMode(id: string): Record<string, never>;
  setOption(id: string, value: string | boolean): { readonly configOptions: SessionConfigOption[] };
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse>;
  cancel(): void;
  close(): Promise<void>;
}

export async function openEditorSession(of: {
  readonly workspace: Workspace;
  readonly client: AgentContext;
  readonly offered: Offered;
  readonly servers: readonly ServerConfiguration[];
  readonly state: SessionState | null;
}): Promise<EditorSession> {
  const { workspace, client, offered, servers, state } = of;
  const { cwd } = workspace;
  let isAsked = false;
  const models = (): readonly string[] => workspace.settings.models.map(({ name }) => name);
  let sent: Promise<unknown> = Promise.resolve();
  let working = false;
  let cancelled = false;
  const session: AgentSession = await openSession(workspace, {
    state,
    interactive: true,
    mode: workspace.options.mode,
    editor: (sessionId) => ({
      files: editorFiles(client, sessionId, offered),
      runner: (local) =>
        offered.terminals
          ? editorRunner(client, sessionId, local, (terminal) => updates.showTerminal(terminal))
          : local.runner,
      servers,
    }),
  });
  const { id } = session.state;

  /** An update that cannot be sent means that the connection is closed: it ends by itself. */
  function send(update: SessionUpdate): void {
    sent = client.notify(methods.client.session.update, { sessionId: id, update }).catch(() => undefined);
  }

  function notice(text: string, level: 'info' | 'warning'): void {
    if (offered.notices) send({ sessionUpdate: 'notice', severity: level, title: text });
    else if (level === 'warning')
      send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `gw: ${text}\n\n` } });
  }

  const updates = createUpdates({
    cwd,
    newCallId: randomUUID,
    contextLength: () => session.model.contextLength,
    notice,
    send,
  });
  const configOptions = (): SessionConfigOption[] => optionsOf(session.mode, session.model.name, models());

  session.subscribe((event) => {
    updates.handle(event);
    if (event.type === 'permission-requested') decide(event).catch(() => undefined);
    else if (event.type === 'question') answer(event).catch(() => undefined);
    else if (event.type === 'mode-changed') {
      send({ sessionUpdate: 'current_mode_update', currentModeId: event.mode });
      send({ sessionUpdate: 'config_option_update', configOptions: configOptions() });
    } else if (event.type === 'turn-ended') {
      const { title, updatedAt } = session.state;
      send({ sessionUpdate: 'session_info_update', title, updatedAt });
    }
  });

  async function decide(event: Extract<AgentEvent, { type: 'permission-requested' }>): Promise<void> {
    const toolCallId = updates.callOf(event.call) ?? event.call;
    const approval = await askPermission(client, { sessionId: id, toolCallId, cwd }, event);
    if (session.decide(event.id, approval) && approval.decision === 'allow')
      send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
  }

  async function answer(event: Extract<AgentEvent, { type: 'question' }>): Promise<void> {
    const toolCallId = updates.latestOf('AskQuestion') ?? event.id;
    session.answer(event.id, await askInEditor(client, { sessionId: id, toolCallId, forms: offered.forms }, event));
  }

  /** Before the first message: the editor knows the session by then. */
  async function askAboutProject(): Promise<void> {
    const before = models().length;
    await workspace.trust.ask(consentIn(client, id));
    isAsked = true;
    if (models().length !== before) send({ sessionUpdate: 'config_option_update', configOptions: configOptions() });
    for (const line of workspace.notices()) notice(line, 'warning');
    for (const line of workspace.trust.ignored()) workspace.context.terminal.report(`gw: ${legible(line)}\n`);
  }

  return {
    id,
    describe: () => ({ modes: modesOf(session.mode), configOptions: configOptions() }),
    async replay() {
      for (const update of replayOf(session.state, cwd, randomUUID)) send(update);
      await sent;
    },
    setMode(mode) {
      session.setMode(modeNamed(mode));
      return {};
    },
    setOption(name, value) {
      if (name === 'mode') session.setMode(modeNamed(String(value)));
      else if (name === 'model') {
        const model = workspace.findModel(String(value));
        if (model === null) throw new WrongUsage(`There is no model ${value}. There are: ${models().join(', ')}.`);
        session.setModel(model);
      } else throw new WrongUsage(`There is no option ${JSON.stringify(name)}. There are: mode, model.`);
      return { configOptions: configOptions() };
    },
    async prompt(blocks, signal) {
      if (working)
        throw new RequestError(INVALID_REQUEST, 'A prompt is being worked on. Cancel it, or wait for its end.');
      working = true;
      cancelled = false;
      const cancel = (): void => {
        cancelled = true;
        session.interrupt();
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        if (!isAsked) await askAboutProject();
        if (cancelled) return { stopReason: 'cancelled' };
        const before = session.state.turns === 0 ? await workspace.firstMessage('', null) : null;
        const message = await withFittingImages(messageOf(blocks, cwd, before ?? ''));
        if (cancelled) return { stopReason: 'cancelled' };
        const outcome = await session.submit(message);
        await sent;
        return { stopReason: stopReasonOf(outcome, cancelled) };
      } finally {
        working = false;
        signal.removeEventListener('abort', cancel);
      }
    },
    cancel() {
      cancelled = true;
      session.interrupt();
    },
    close: () => session.close(),
  };
}

/** Throws what the editor shows as a fault of the prompt. */
function stopReasonOf({ status, error, isCut }: TurnOutcome, cancelled: boolean): PromptResponse['stopReason'] {
  if (status === 'interrupted') return cancelled ? 'cancelled' : 'end_turn';
  if (isCut === true) return 'max_tokens';
  if (error?.cause === 'refusal') return 'refusal';
  if (status === 'completed' || error?.cause === 'repeated-call') return 'end_turn';
  if (error?.cause === 'limit') return 'max_turn_requests';
  if (error?.status === 401) throw new SignInNeeded(error.message);
  throw new Error(error?.message ?? 'The turn failed.');
}
