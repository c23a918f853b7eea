import { randomUUID } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentContext,
  type ContentBlock,
  type EmbeddedResourceResource,
  methods,
  type PermissionOption,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
  type TerminalHandle,
} from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { legible } from '@gateway/contract/legible';
import {
  type AgentEvent,
  type AgentSession,
  type ContentPart,
  type EditorFiles,
  type Mode,
  type SessionState,
  ToolFailed,
  type TurnOutcome,
} from '../agent/types/index.ts';
import { openSession } from '../compose/open-session.ts';
import type { Workspace } from '../compose/workspace.ts';
import { fitPicture, kindOf } from '../files/picture.ts';
import type { ServerConfiguration } from '../mcp/transport.ts';
import { WrongUsage } from '../process/fault.ts';
import { type LocalCommands, UNATTENDED } from '../tools/create-runner.ts';
import type { CommandEnd, CommandRunner, RunningCommand } from '../tools/jobs.ts';
import { askPermission, consentIn, createUpdates, fenceText, type Offered, replayOf, SignInNeeded } from './updates.ts';

type Asked = Extract<AgentEvent, { type: 'question' }>;

/** For the model: an editor without forms and a question without options. */
const ASK_IN_ANSWER =
  'This editor cannot show the question. Ask it in your answer and end your turn: the user replies with the next message.';
const DECLINE = 'decline';

/**
 * Asks a question of the model in the editor: as a form where the editor has forms, else as a choice between the options.
 * Null where the person gives no answer.
 */
async function askInEditor(
  client: AgentContext,
  of: { readonly sessionId: string; readonly toolCallId: string; readonly forms: boolean },
  { question, options }: Asked,
): Promise<string | null> {
  const { sessionId, toolCallId } = of;
  try {
    if (of.forms) return await askWithForm(client, sessionId, question, options);
    if (options.length === 0) return ASK_IN_ANSWER;
    const choices = options.map((name, at): PermissionOption => ({ optionId: String(at), name, kind: 'allow_once' }));
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId, title: question, kind: 'other', status: 'pending' },
      options: [...choices, { optionId: DECLINE, name: 'No answer', kind: 'reject_once' }],
    });
    return outcome.outcome === 'cancelled' ? null : (options[Number(outcome.optionId)] ?? null);
  } catch {
    return null;
  }
}

async function askWithForm(
  client: AgentContext,
  sessionId: string,
  message: string,
  options: readonly string[],
): Promise<string | null> {
  const choice = options.length === 0 ? {} : { description: `For example: ${options.join(' · ')}` };
  const answered = await client.request(methods.client.elicitation.create, {
    mode: 'form',
    sessionId,
    message,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', ...choice } },
      required: ['answer'],
    },
  });
  const content: unknown = answered.action === 'accept' && 'content' in answered ? answered.content : null;
  const { answer } = (content ?? {}) as { readonly answer?: unknown };
  return typeof answer === 'string' && answer !== '' ? answer : null;
}

const MODES: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: 'normal', name: 'Normal', description: 'Asks before anything is changed or run' },
  { id: 'plan', name: 'Plan', description: 'Changes nothing' },
  { id: 'auto', name: 'Auto', description: 'Runs every tool that is not excluded, without asking' },
];

export function modesOf(mode: Mode): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((each) => ({ ...each })) };
}

export function modeNamed(id: string): Mode {
  const mode = MODES.find((each) => each.id === id);
  if (mode === undefined)
    throw new WrongUsage(`There is no mode ${JSON.stringify(id)}. There are: normal, plan, auto.`);
  return mode.id;
}

/** Mode and model as options. Editors that show these leave the modes above out. */
export function optionsOf(mode: Mode, model: string, models: readonly string[]): SessionConfigOption[] {
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: models.map((name) => ({ value: name, name })),
    },
  ];
}

/** The editor's files: what it shows is read, and it writes what it shows. Null where it offers none. */
function editorFiles(
  client: AgentContext,
  sessionId: string,
  { reads, writes }: Pick<Offered, 'reads' | 'writes'>,
): EditorFiles | null {
  if (!(reads || writes)) return null;
  /** Files that the editor gave: they may have changes that are not saved, so nobody else may write them. */
  const known = new Set<string>();
  return {
    async read(path) {
      if (!reads) return null;
      try {
        const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
        known.add(path);
        return content;
      } catch {
        return null; // outside of its folders, for instance
      }
    },
    async write(path, content) {
      if (!writes) return false;
      try {
        await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
        known.add(path);
        return true;
      } catch (error) {
        if (!known.has(path)) return false;
        const why = errorMessage(error);
        throw new ToolFailed(`The editor did not write ${path}: ${why}`);
      }
    },
  };
}

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

/** The beginning of longer outputs is lost; the model gets fewer characters than this. */
const OUTPUT_BYTES = 200_000;

/**
 * Runs commands in the editor's terminals: in the same sandbox and without the same variables as on this machine.
 * Background commands run without a terminal, so that their output can be read while they run.
 */
function editorRunner(
  client: AgentContext,
  sessionId: string,
  local: LocalCommands,
  show: (terminal: string) => void,
): CommandRunner {
  return {
    location: null,
    async start(request, output): Promise<RunningCommand> {
      if (request.background === true) return local.runner.start(request, output);
      const [command, ...args] = await local.lineOf(request);
      let terminal: TerminalHandle;
      try {
        terminal = await client.createTerminal({
          sessionId,
          command,
          args,
          cwd: request.directory,
          env: Object.entries(UNATTENDED).map(([name, value]) => ({ name, value })),
          outputByteLimit: OUTPUT_BYTES,
        });
      } catch {
        return local.runner.start(request, output);
      }
      show(terminal.id);
      const ended = endOf(terminal, output);
      return {
        ended,
        async stop() {
          await terminal.kill();
          await ended;
        },
      };
    },
  };
}

async function endOf(terminal: TerminalHandle, output: (text: string) => void): Promise<CommandEnd> {
  try {
    const { exitCode, signal } = await terminal.waitForExit();
    const shown = await terminal.currentOutput();
    if (shown.truncated) output('[the beginning of the output was left out]\n');
    output(shown.output.replaceAll('\r\n', '\n'));
    return { code: exitCode ?? null, signal: signal ?? null };
  } catch (error) {
    const why = errorMessage(error);
    return { code: null, signal: null, fault: `the editor's terminal failed: ${why}` };
  } finally {
    await terminal.release().catch(() => undefined);
  }
}

/**
 * A prompt of the editor as a message for the model. Mentioned files are paths in the text; content that the editor adds comes
 * after the text. Throws `WrongUsage` for a block that cannot be used.
 * @param before what `--prompt` and `--agent` put in front of the first message; empty otherwise
 */
export function messageOf(
  blocks: readonly ContentBlock[],
  cwd: string,
  before: string,
): string | readonly ContentPart[] {
  let text = '';
  const contents: string[] = [];
  const images: ContentPart[] = [];
  for (const block of blocks) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'image') images.push(imageOf(block.data));
    else if (block.type === 'resource_link') text += mentionOf(block.uri, cwd);
    else if (block.type === 'resource') {
      const { resource } = block;
      text += mentionOf(resource.uri, cwd);
      const added = contentOf(resource, cwd);
      if (typeof added === 'string') contents.push(added);
      else images.push(added);
    } else throw new WrongUsage('gw takes no audio. Send text, images or files.');
  }
  const whole = [before, text, ...contents].filter((part) => part.trim() !== '').join('\n\n');
  if (whole === '' && images.length === 0) throw new WrongUsage('The prompt is empty.');
  return images.length === 0 ? whole : [{ type: 'text', text: whole }, ...images];
}

function contentOf(resource: EmbeddedResourceResource, cwd: string): string | ContentPart {
  if ('text' in resource) return `Content of ${mentionOf(resource.uri, cwd)}:\n${fenceText(resource.text)}`;
  return imageOf(resource.blob);
}

function imageOf(data: string): ContentPart {
  const kind = kindOf(Buffer.from(data, 'base64'));
  if (kind === null) throw new WrongUsage('The image cannot be used: send a PNG, JPEG, GIF or WebP image.');
  return { type: 'image', url: `data:${kind};base64,${data}` };
}

/** The message with its images shrunk to what engines take. Throws `WrongUsage` for one that cannot be. */
async function withFittingImages(message: string | readonly ContentPart[]): Promise<string | readonly ContentPart[]> {
  if (typeof message === 'string') return message;
  return Promise.all(
    message.map(async (part) => {
      if (part.type !== 'image') return part;
      const picture = await fitPicture(Buffer.from(part.url.slice(part.url.indexOf(',') + 1), 'base64'));
      if ('fault' in picture) throw new WrongUsage(`The image cannot be used. ${picture.fault}`);
      return { type: 'image' as const, url: picture.url };
    }),
  );
}

/** A file below the working directory by its relative path, any other by its absolute one, anything else by its address. */
function mentionOf(uri: string, cwd: string): string {
  const path = pathOf(uri);
  if (path === null) return `\`${uri}\``;
  const way = relative(cwd, path);
  const [, from, to] = /#L(\d+)(?:[-:]L?(\d+))?/.exec(uri) ?? [];
  const lines = from === undefined ? '' : to === undefined ? ` (line ${from})` : ` (lines ${from} to ${to})`;
  return `\`${way === '' ? '.' : /^\.\.(?:\/|$)/.test(way) || isAbsolute(way) ? path : way}\`${lines}`;
}

function pathOf(uri: string): string | null {
  if (isAbsolute(uri)) return uri;
  try {
    const url = new URL(uri);
    url.hash = ''; // lines of a selection
    url.search = '';
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
