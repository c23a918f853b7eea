import { NO_ORGANIZATION } from '../../organization/open.ts';
import type { AgentDependencies } from '../dependencies.ts';
import { createSession } from '../session.ts';
import { newState } from '../state.ts';
import type {
  AgentEvent,
  AgentSession,
  Message,
  Mode,
  Model,
  ModelEvent,
  PermissionDecision,
  SessionState,
  Tool,
  ToolCall,
} from '../types/index.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
/** What a model answers: events, a fault, or what the test does when it is called. */
export type ModelAnswer = readonly ModelEvent[] | Error | ((signal: AbortSignal) => AsyncIterable<ModelEvent>);

export const call = (
  name: string,
  args: unknown = {},
  id = `${name}-${JSON.stringify(args)}`.replaceAll(/[^\w-]/g, '_'),
): ModelEvent => ({
  type: 'tool-call',
  call: { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});
export const say = (text: string): ModelEvent => ({ type: 'text', text });

/** A tool that does what its name says. */
export function toolOf(name: string, did: string[], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: { type: 'object', properties: {} },
    effect: 'write',
    parse: (raw) =>
      typeof raw === 'object' && raw !== null ? { ok: true, args: raw } : { ok: false, message: 'Send an object.' },
    target: (args) => ({ kind: 'path', value: JSON.stringify(args) }),
    async run() {
      did.push(`run ${name}`);
      if (name === 'throw') throw new Error('It broke.');
      return { outcome: name === 'fail' ? 'failed' : 'succeeded', content: `did ${name} with SECRET` };
    },
    ...more,
  };
}

export function recordOf(append: (entry: { readonly kind: string; readonly tool?: string }) => void) {
  return { append: async (entry: { kind: string; tool?: string }) => append(entry) } as AgentDependencies['record'];
}

export interface WorldChange {
  readonly decide?: (tool: string) => PermissionDecision['decision'];
  readonly dependencies?: Partial<AgentDependencies>;
  readonly model?: Partial<Model>;
  readonly state?: Partial<SessionState>;
  readonly mode?: Mode;
  readonly parentSession?: string;
  readonly events?: (event: AgentEvent, session: AgentSession) => void;
}

/** A model that gives these answers, and says `Done.` afterwards. */
export function modelOf(
  answers: readonly ModelAnswer[],
  requests: (readonly Message[])[],
  more: Partial<Model> = {},
): Model {
  let left = [...answers];
  return {
    name: 'Test',
    entry: 'Test',
    contextLength: null,
    images: null,
    prices: null,
    async *stream({ messages }, signal) {
      signal.throwIfAborted();
      requests.push(messages);
      const [next = [say('Done.')], ...rest] = left;
      left = rest;
      if (next instanceof Error) throw next;
      yield* typeof next === 'function' ? next(signal) : next;
    },
    ...more,
  };
}

/** A session whose model gives these answers, and says `Done.` afterwards. */
export function world(answers: readonly ModelAnswer[], change: WorldChange = {}) {
  const { decide = () => 'allow', dependencies, events, mode = 'normal', parentSession } = change;
  const did: string[] = [];
  const requests: (readonly Message[])[] = [];
  const saved: SessionState[] = [];
  const seen: AgentEvent[] = [];
  const nothing = async (): Promise<void> => undefined;
  const none = async (): Promise<null> => null;
  const session = createSession(
    {
      clock: { now: () => NOW, sleep: nothing },
      tools: async () => ['do', 'fail', 'throw'].map((name) => toolOf(name, did)),
      permissions: {
        judge: async ({ tool }) => ({
          decision: decide(tool),
          rule: tool,
          source: 'test',
          reason: `The test says ${decide(tool)}.`,
          authorizedBy: 'policy',
        }),
        remember: none,
      },
      record: recordOf(({ kind, tool }) => void did.push(tool === undefined ? kind : `${kind} ${tool}`)),
      organization: NO_ORGANIZATION,
      snapshots: {
        begin: nothing,
        beforeWrite: nothing,
        beforeCommand: nothing,
        afterCommand: nothing,
        end: nothing,
        undo: none,
        redo: none,
      },
      jobs: { list: () => [], stopAll: nothing },
      files: { note: () => undefined, digestOf: () => null },
      mask: (text) => ({ text: text.replaceAll('SECRET', '***'), masked: text.split('SECRET').length - 1 }),
      cwd: '/p',
      systemPrompt: () => 'You are a test.',
      save: async (state) => void saved.push(state),
      mostSteps: 8,
      interactive: false,
      beforeTurn: async () => [],
      servers: () => [],
      close: nothing,
      ...dependencies,
    },
    {
      state: { ...newState({ now: NOW, directory: '/p', project: '/p', model: 'Test' }), ...change.state },
      model: modelOf(answers, requests, change.model),
      mode,
      ...(parentSession === undefined ? {} : { parentSession }),
    },
  );
  session.subscribe((event) => seen.push(event));
  if (events !== undefined) session.subscribe((event) => events(event, session));
  /** The events of one type so far. */
  const of = <T extends AgentEvent['type']>(type: T): Extract<AgentEvent, { type: T }>[] =>
    seen.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  return { session, did, requests, saved, seen, of };
}

/** The calls of a conversation without exactly one result behind them, and the results without a call. */
export function unanswered(messages: readonly Message[]): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.callId) wrong.push(message.callId);
    } else {
      wrong.push(...open.splice(0));
      if (message.role === 'assistant') open.push(...(message.toolCalls ?? []).map(({ id }: ToolCall) => id));
    }
  }
  return [...wrong, ...open];
}
