import { randomUUID } from 'node:crypto';
import { errorMessage } from '@gateway/contract/error-code';
import type { AgentDependencies, Hooks } from './dependencies.ts';
import type { InTurn } from './state.ts';
import type {
  AgentEvent,
  Approval,
  ChecklistItem,
  Mode,
  Question,
  Tool,
  ToolCallSummary,
  ToolContext,
} from './types/index.ts';

/** Calls that the person was asked about together, by their identifiers; null where the person wants to be asked for each. */
export type DecidedCalls = ReadonlyMap<string, { readonly requestId: string; readonly approval: Decided | null }>;
export type Decided = Exclude<Approval, { readonly decision: 'each' }>;

/** What running calls needs of the session around it. */
export interface CallDependencies {
  readonly dependencies: AgentDependencies;
  readonly emit: Emit;
  readonly approvals: Requests<Approval>;
  readonly session: string;
  readonly parentSession: string | null;
  readonly project: string;
  readonly signal: AbortSignal;
  mode(): Mode;
  readonly setChecklist: (items: readonly ChecklistItem[]) => void;
  readonly ask: (question: Question) => Promise<string | null>;
  readonly hooks: Hooks | null;
  /** Aborted when the person puts the running command into the background. */
  toBackground(): AbortSignal;
  /** One question at a time, that of sub-agents included. */
  readonly inTurn: InTurn;
  readonly decided?: DecidedCalls;
  /** Absent in sub-agents. */
  readonly runAgent: ToolContext['runAgent'] | null;
  /** Keeps a summary, at once: what was done before a fault is known. */
  note(summary: ToolCallSummary): void;
}

/** What a tool gets in addition to its arguments. */
export function contextOf(around: CallDependencies, callId: string): ToolContext {
  const { clock, files, editor, snapshots, jobs, cwd, home, mask, interactive, permissions } = around.dependencies;
  return {
    project: around.project,
    cwd,
    ...(home === undefined ? {} : { home }),
    session: around.session,
    call: callId,
    toBackground: around.toBackground(),
    ...(around.parentSession === null ? {} : { parentSession: around.parentSession }),
    signal: around.signal,
    clock,
    files,
    ...(editor === undefined ? {} : { editor }),
    snapshots,
    jobs,
    planMode: around.mode() === 'plan',
    async keepsFromReading(path) {
      const target = { kind: 'path', value: path } as const;
      const read = await permissions.judge({ tool: 'Read', effect: 'read', target, args: {} }, around.mode());
      return read.decision !== 'allow' && read.rule.includes('(');
    },
    readsOnly: async (command) => (await permissions.readsOnly?.(command)) ?? false,
    output: (chunk) => around.emit({ type: 'tool-output', id: callId, chunk }),
    mask,
    setChecklist: around.setChecklist,
    setStatus: (text) => around.emit({ type: 'status', text }),
    warn: (text) => around.emit({ type: 'notice', level: 'warning', text }),
    ...(interactive ? { ask: around.ask } : {}),
    ...(around.runAgent == null ? {} : { runAgent: around.runAgent }),
  };
}

/** The arguments of a call, or what is wrong with them, for the model. */
export function readArguments(tool: Tool, text: string): ReturnType<Tool['parse']> {
  let raw: unknown;
  try {
    raw = JSON.parse(text.trim() === '' ? '{}' : text);
    // Some models send their JSON as a string of JSON.
    if (typeof raw === 'string') raw = JSON.parse(raw);
  } catch (error) {
    const why = errorMessage(error);
    return { ok: false, message: `The arguments of ${tool.name} are not valid JSON (${why}). Send one JSON object.` };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, message: `The arguments of ${tool.name} are no JSON object. Send one JSON object.` };
  return tool.parse(raw);
}

export type Emit = (event: AgentEvent) => void;

/** Hands events to every listener, in order. A listener may leave while it is called. */
export function createEmitter(): { readonly emit: Emit; readonly subscribe: (listener: Emit) => () => void } {
  const listeners = new Set<Emit>();
  return {
    emit(event: AgentEvent): void {
      for (const listener of Array.from(listeners)) listener(event);
    },
    subscribe(listener: Emit): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** What waits for a person: approvals and questions, each under an identifier. */
interface Requests<Answer> {
  /** @returns the identifier to show, and the answer; rejects with the signal's reason once it is aborted. */
  open(signal: AbortSignal): { readonly id: string; readonly answer: Promise<Answer> };
  /** False where nothing waits under this identifier. */
  settle(id: string, answer: Answer): boolean;
}

export function createRequests<Answer>(): Requests<Answer> {
  const waiting = new Map<string, (answer: Answer) => void>();
  return {
    open(signal) {
      const id = randomUUID();
      const answer = new Promise<Answer>((resolve, reject) => {
        signal.throwIfAborted();
        const abort = (): void => {
          waiting.delete(id);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(id, (value) => {
          waiting.delete(id);
          signal.removeEventListener('abort', abort);
          resolve(value);
        });
      });
      return { id, answer };
    },
    settle(id, answer) {
      const resolve = waiting.get(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}
