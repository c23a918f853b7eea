import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  methods,
  type PermissionOption,
  type PlanEntry,
  RequestError,
  type SessionUpdate,
  type ToolCallContent,
  type ToolCallLocation,
  type ToolKind,
} from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { describeScope, widerOffers } from '../agent/approval-words.ts';
import { isSummary } from '../agent/state.ts';
import type {
  AgentEvent,
  Approval,
  ChecklistItem,
  ContentPart,
  Message,
  Preview,
  SessionState,
  ToolCall,
} from '../agent/types/index.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { maskLine } from '../redaction/mask-line.ts';
import { explicitText } from '../terminal/text/safe.ts';
import { nameOf } from '../trust/open.ts';
import type { AskPerson, ConsentAnswer, ProjectRequest } from '../trust/sources.ts';

/** Milliseconds between two updates of a running call's output. */
const OUTPUT_MS = 150;
const KEPT_OUTPUT = 8000;

export interface Updates {
  handle(event: AgentEvent): void;
  /** The identifier by which the editor knows a call that is running. */
  callOf(id: string): string | null;
  /** The same for the latest running call of a tool. */
  latestOf(tool: string): string | null;
  /** Shows a terminal of the editor in the Bash call that is running. */
  showTerminal(terminal: string): void;
}

interface Running {
  /** As the model named it: not unique in a session. */
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  output: string;
  timer: NodeJS.Timeout | null;
  terminal: string | null;
}

/** Turns the events of a session into updates of the protocol, in order. */
export function createUpdates(of: {
  readonly cwd: string;
  /** Unlike any other of the session, also of earlier connections. */
  newCallId(): string;
  contextLength(): number | null;
  /** What the person should know, apart from the answer. */
  notice(text: string, level: 'info' | 'warning'): void;
  readonly send: (update: SessionUpdate) => void;
}): Updates {
  const { cwd, send } = of;
  const running: Running[] = [];

  const find = (id: string): Running | undefined => running.findLast((one) => one.id === id);

  function propose(id: string, tool: string, target: string): Running {
    const call: Running = { id, toolCallId: of.newCallId(), tool, output: '', timer: null, terminal: null };
    running.push(call);
    // The plan shows the checklist.
    if (tool !== 'Checklist')
      send({
        sessionUpdate: 'tool_call',
        toolCallId: call.toolCallId,
        ...headingOf(tool, target, cwd),
        status: 'in_progress',
      });
    return call;
  }

  function showOutput(call: Running, chunk: string): void {
    call.output = (call.output + chunk).slice(-KEPT_OUTPUT);
    if (call.terminal !== null) return;
    call.timer ??= setTimeout(() => {
      call.timer = null;
      const content = [output(call.output.toWellFormed())];
      send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, content });
    }, OUTPUT_MS);
  }

  function finish(event: Extract<AgentEvent, { type: 'tool-finished' }>): void {
    const call = find(event.id) ?? propose(event.id, event.tool, event.target);
    running.splice(running.indexOf(call), 1);
    if (call.timer !== null) clearTimeout(call.timer);
    if (call.tool === 'Checklist') return;
    const shown = event.display === undefined ? [] : contentOf(event.display, cwd);
    const content: ToolCallContent[] =
      call.terminal !== null
        ? [{ type: 'terminal', terminalId: call.terminal }]
        : shown.length > 0
          ? shown
          : [output(event.content)];
    const status = event.outcome === 'succeeded' ? ('completed' as const) : ('failed' as const);
    send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status, content });
  }

  return {
    callOf: (id) => find(id)?.toolCallId ?? null,
    latestOf: (tool) => running.findLast((one) => one.tool === tool)?.toolCallId ?? null,
    showTerminal(terminal) {
      const call = running.findLast(({ tool }) => tool === 'Bash');
      if (call === undefined) return;
      call.terminal = terminal;
      const content: ToolCallContent[] = [{ type: 'terminal', terminalId: terminal }];
      send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, content });
    },
    handle(event) {
      switch (event.type) {
        case 'text':
          send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } });
          break;
        case 'reasoning':
          send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } });
          break;
        case 'tool-proposed':
          propose(event.id, event.tool, event.target);
          break;
        case 'tool-output': {
          const call = find(event.id);
          if (call !== undefined) showOutput(call, event.chunk);
          break;
        }
        case 'tool-finished':
          finish(event);
          break;
        case 'checklist':
          send(planOf(event.items));
          break;
        case 'usage': {
          const size = of.contextLength();
          if (size !== null) send({ sessionUpdate: 'usage_update', used: event.contextTokens, size });
          break;
        }
        case 'notice':
          of.notice(event.text, event.level);
          break;
        case 'compacted':
          of.notice(`${event.dropped} earlier messages were summarized to make room.`, 'info');
          break;
        case 'turn-ended':
          endAll();
          break;
        default: // permissions, questions, modes and titles go their own way
      }
    },
  };

  /** Calls that an interruption ended have no result. */
  function endAll(): void {
    for (const { timer, toolCallId, tool } of running.splice(0)) {
      if (timer !== null) clearTimeout(timer);
      if (tool !== 'Checklist') send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    }
  }
}

const STATUS = { open: 'pending', doing: 'in_progress', done: 'completed' } as const;

export function planOf(items: readonly ChecklistItem[]): SessionUpdate {
  const entries = items.map(
    ({ text, state }): PlanEntry => ({ content: text, priority: 'medium', status: STATUS[state] }),
  );
  return { sessionUpdate: 'plan', entries };
}

/** A saved conversation as updates, in order: the editor shows it as it was. */
export function replayOf(state: SessionState, cwd: string, newCallId: () => string): readonly SessionUpdate[] {
  const calls = new Map<string, { readonly toolCallId: string; readonly call: ToolCall }>();
  const updates = state.messages.flatMap((message): readonly SessionUpdate[] => {
    switch (message.role) {
      case 'user':
        if (isSummary(message)) return [];
        return blocksOf(message.content).map((content) => ({ sessionUpdate: 'user_message_chunk', content }));
      case 'assistant':
        return [...answerOf(message), ...(message.toolCalls ?? []).flatMap(announce)];
      case 'tool': {
        const made = calls.get(message.callId);
        if (made === undefined || made.call.name === 'Checklist') return [];
        const { toolCallId } = made;
        const content = [output(message.content)];
        return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content }];
      }
      default:
        return [];
    }
  });
  return state.checklist.length === 0 ? updates : [...updates, planOf(state.checklist)];

  function announce(call: ToolCall): readonly SessionUpdate[] {
    const toolCallId = newCallId();
    calls.set(call.id, { toolCallId, call });
    if (call.name === 'Checklist') return [];
    const heading = headingOf(call.name, targetOf(call), cwd);
    return [{ sessionUpdate: 'tool_call', toolCallId, ...heading, status: 'in_progress' }];
  }
}

function answerOf({ content }: Extract<Message, { role: 'assistant' }>): readonly SessionUpdate[] {
  return content === '' ? [] : [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: content } }];
}

function blocksOf(content: string | readonly ContentPart[]): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): readonly ContentBlock[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(part.url) ?? [];
    return mimeType === undefined || data === undefined ? [] : [{ type: 'image', mimeType, data }];
  });
}

/** What a saved call was about: the tools name it differently. */
function targetOf({ arguments: text }: ToolCall): string {
  try {
    const args = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const names = ['file_path', 'path', 'command', 'url', 'question', 'agent', 'job'];
    const found = names.map((name) => args[name]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}

type Asked = Extract<AgentEvent, { type: 'permission-requested' }>;

interface Choice {
  readonly option: PermissionOption;
  readonly approval: Approval;
}

/** What the person can answer. The rules that an answer saves are in its name. */
function choicesOf(event: Asked): readonly Choice[] {
  const remembered = [undefined, ...widerOffers(event)].flatMap((rules, at): Choice[] =>
    (['session', 'project'] as const).map((remember) => ({
      option: {
        optionId: at === 0 ? remember : `${remember}-${at}`,
        name: `Allow ${rules?.join(', ') ?? describeScope(event.tool)} ${remember === 'session' ? 'for the session' : 'in this project'}`,
        kind: 'allow_always',
      },
      approval: { decision: 'allow', remember, ...(rules === undefined ? {} : { rules }) },
    })),
  );
  return [
    { option: { optionId: 'allow', name: 'Allow', kind: 'allow_once' }, approval: { decision: 'allow' } },
    ...remembered,
    { option: { optionId: 'reject', name: 'Reject, and stop', kind: 'reject_once' }, approval: REJECTED },
  ];
}

const REJECTED: Approval = { decision: 'deny', stop: true };

/** Asks the person in the editor. Any answer but an approval denies the call and ends the turn, as `n` does in the terminal. */
export async function askPermission(
  client: AgentContext,
  of: { readonly sessionId: string; readonly toolCallId: string; readonly cwd: string },
  event: Asked,
): Promise<Approval> {
  const { sessionId, toolCallId, cwd } = of;
  const from = event.subAgent === undefined ? '' : 'A sub-agent asks. ';
  const choices = choicesOf(event);
  const content = [textContent(from + event.reason), ...(event.preview === null ? [] : contentOf(event.preview, cwd))];
  try {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: {
        toolCallId,
        ...headingOf(event.tool, event.target.value, cwd),
        status: 'pending',
        content,
        rawInput: JSON.parse(event.arguments),
      },
      options: choices.map(({ option }) => option),
    });
    if (outcome.outcome === 'cancelled') return REJECTED;
    return choices.find(({ option }) => option.optionId === outcome.optionId)?.approval ?? REJECTED;
  } catch (error) {
    const why = errorMessage(error);
    return { decision: 'deny', stop: true, reason: `The editor did not answer the permission request: ${why}` };
  }
}

const OPTIONS = [
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'once', name: 'Yes, in this session', kind: 'allow_once' },
  { optionId: 'yes', name: 'Yes, and keep the answer for this project', kind: 'allow_always' },
  { optionId: 'never', name: 'No, and do not ask again', kind: 'reject_always' },
] as const;

/**
 * Asks in the editor about what a project's files add, as a permission request that shows all of it. An editor that does not
 * answer such requests agrees to nothing.
 */
export function consentIn(client: AgentContext, sessionId: string): AskPerson {
  return async (request) => {
    try {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: {
          toolCallId: randomUUID(),
          title: `Agree to ${nameOf(request)} of this project?`,
          kind: 'other',
          status: 'pending',
          content: [textContent(requestText(request))],
        },
        options: OPTIONS.map((one): PermissionOption => ({ ...one })),
      });
      return outcome.outcome === 'cancelled' ? 'no' : permissionAnswerOf(outcome.optionId);
    } catch {
      return 'no'; // `ignored` names it
    }
  };
}

function permissionAnswerOf(optionId: string): ConsentAnswer {
  return OPTIONS.find((one) => one.optionId === optionId)?.optionId ?? 'no';
}

function requestText({ place, shown }: ProjectRequest): string {
  const rows = shown.map(([label, value]) => `${label}: ${value}`);
  // A code block: Markdown in a value could hide a part of it.
  return `${place} adds it. It has no effect unless you agree.\n\n${fenceText(explicitText(rows.join('\n')))}`;
}

/** Characters of a result that the editor is sent; the model gets its own part. */
const MOST_CHARACTERS = 20_000;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  List: 'read',
  BashOutput: 'read',
  Search: 'search',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  Bash: 'execute',
  BashStop: 'execute',
  Fetch: 'fetch',
  Agent: 'think',
  Checklist: 'think',
};
const WITH_PATH = new Set(['Read', 'List', 'Search', 'Write', 'Edit', 'MultiEdit']);

/** How an editor shows a call: title, kind and the files it is about. */
export function headingOf(tool: string, target: string, cwd: string) {
  const locations: ToolCallLocation[] = WITH_PATH.has(tool) && target !== '' ? [{ path: resolve(cwd, target) }] : [];
  return {
    title: tool === 'Bash' ? target : `${tool} ${target}`.trim(),
    name: tool,
    kind: KINDS[tool] ?? ('other' as const),
    locations,
  };
}

/** What a call would do, or did. */
export function contentOf(preview: Preview, cwd: string): ToolCallContent[] {
  if (preview.kind === 'diff')
    return [{ type: 'diff', path: resolve(cwd, preview.path), oldText: preview.before, newText: preview.after }];
  if (preview.kind === 'command')
    return [textContent(fenceText(preview.command) + (preview.note === undefined ? '' : `\n${preview.note}`))];
  if (preview.kind === 'text') return [output(preview.text)];
  return [];
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Text of a tool, unchanged; of a long text only the end is shown. */
export function output(text: string): ToolCallContent {
  const left = text.length - MOST_CHARACTERS;
  if (left <= 0) return textContent(fenceText(text));
  return textContent(
    `${left} characters before this were left out.\n${fenceText(text.slice(-MOST_CHARACTERS).toWellFormed())}`,
  );
}

/** Any text as a fenced code block of Markdown. */
export function fenceText(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** What the editor lends to the agent, as it said when the connection began. */
export interface Offered {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly terminals: boolean;
  /** Notices of their own, apart from the answer. */
  readonly notices: boolean;
  /** Forms, for questions of the model. */
  readonly forms: boolean;
  readonly terminalSignIn: boolean;
}

export const NOTHING_OFFERED: Offered = readOffered(undefined);

export function readOffered(capabilities: ClientCapabilities | undefined): Offered {
  const { fs, terminal, session, elicitation, auth } = capabilities ?? {};
  return {
    reads: fs?.readTextFile === true,
    writes: fs?.writeTextFile === true,
    terminals: terminal === true,
    notices: session?.notices != null,
    forms: elicitation?.form != null,
    terminalSignIn: auth?.terminal === true,
  };
}

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;
const AUTH_REQUIRED = -32000;

/** Runs a handler; what it throws becomes an error of the protocol whose message the editor shows. */
export async function answering<Result>(handle: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await handle();
  } catch (error) {
    throw requestErrorOf(error);
  }
}

function requestErrorOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = maskLine(errorMessage(error));
  if (error instanceof SignInNeeded) return new RequestError(AUTH_REQUIRED, message);
  return new RequestError(error instanceof WrongUsage ? INVALID_PARAMS : INTERNAL_ERROR, message);
}

/** The editor offers to sign in. */
export class SignInNeeded extends CommandFailed {}
