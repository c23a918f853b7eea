import type {
  AgentEvent,
  AgentSession,
  Approval,
  ContentPart,
  Job,
  Mode,
  Model,
  Restored,
  ServerStatus,
  SessionState,
  TurnOutcome,
} from '../../agent/types/index.ts';

/** What a test sees of a session, and what it makes the session report. */
export interface FakeSession extends AgentSession {
  readonly calls: string[];
  readonly submitted: (string | readonly ContentPart[])[];
  readonly decisions: Approval[];
  /** Whether messages reach the running turn; else they wait for its end. */
  steers: boolean;
  report(...events: AgentEvent[]): void;
  /** Ends the running turn. */
  finish(outcome?: Partial<TurnOutcome>): void;
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0, calls: 0 };
const RESTORED: Restored = { turn: 1, files: ['a.txt'], conflicts: [] };
const nothing = async (): Promise<void> => undefined;

export function fakeModel(name: string): Model {
  return {
    name,
    entry: name,
    contextLength: 10_000,
    images: null,
    prices: null,
    stream: () => {
      throw new Error('The fake model answers nothing.');
    },
  };
}

/** A session without a model: the test reports the events. */
export function createFakeSession(change: Partial<SessionState> = {}): FakeSession {
  const listeners = new Set<(event: AgentEvent) => void>();
  const calls: string[] = [];
  const submitted: (string | readonly ContentPart[])[] = [];
  const decisions: Approval[] = [];
  let turn: PromiseWithResolvers<TurnOutcome> | null = null;
  const report: FakeSession['report'] = (...events) => {
    for (const event of events) for (const listener of listeners) listener(event);
  };
  const finish: FakeSession['finish'] = (with_ = {}) => {
    const outcome: TurnOutcome = {
      status: 'completed',
      answer: '',
      toolCalls: [],
      usage: NO_USAGE,
      error: null,
      ...with_,
    };
    const ended = turn;
    turn = null;
    report({ type: 'turn-ended', outcome });
    ended?.resolve(outcome);
  };
  const session = {
    calls,
    steers: false,
    submitted,
    decisions,
    report,
    finish,
    state: {
      version: 1,
      id: '01890000-0000-7000-8000-000000000001',
      parent: null,
      title: 'A title',
      directory: '/home/casey/shop',
      project: '/home/casey/shop',
      model: 'Test Model',
      startedAt: '2026-01-31T09:30:00.000Z',
      updatedAt: '2026-01-31T09:30:00.000Z',
      turns: 0,
      messages: [],
      usage: NO_USAGE,
      contextTokens: 0,
      cost: null,
      checklist: [],
      ...change,
    } as SessionState,
    mode: 'normal' as Mode,
    model: fakeModel('Test Model'),
    get running() {
      return turn !== null;
    },
    snapshots: {
      begin: nothing,
      beforeWrite: nothing,
      beforeCommand: nothing,
      afterCommand: nothing,
      end: nothing,
      undo: async () => RESTORED,
      redo: async () => RESTORED,
    },
    jobs: { list: (): readonly Job[] => [], stopAll: nothing },
    servers: (): readonly ServerStatus[] => [],
    subscribe(listener: (event: AgentEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    submit(message: string | readonly ContentPart[]) {
      if (turn !== null) throw new Error('A turn is running.');
      turn = Promise.withResolvers<TurnOutcome>();
      submitted.push(message);
      const { state } = session;
      session.state = {
        ...state,
        turns: state.turns + 1,
        messages: [...state.messages, { role: 'user', content: message }],
      };
      report({ type: 'turn-started', message: typeof message === 'string' ? message : '' });
      return turn.promise;
    },
    steer(message: string) {
      if (!session.steers) return false;
      calls.push(`steer ${message}`);
      return turn !== null;
    },
    unsteer(message: string) {
      calls.push(`unsteer ${message}`);
      return true;
    },
    call: async () => ({ outcome: 'succeeded' as const, content: '', stop: false }),
    toBackground() {
      calls.push('to background');
      return turn !== null;
    },
    interrupt() {
      calls.push('interrupt');
      if (turn !== null) finish({ status: 'interrupted' });
    },
    decide(id: string, approval: Approval) {
      calls.push(`decide ${id}`);
      decisions.push(approval);
      return true;
    },
    answer(id: string, text: string | null) {
      calls.push(`answer ${id} ${text}`);
      return true;
    },
    setMode(mode: Mode) {
      session.mode = mode;
      calls.push(`mode ${mode}`);
    },
    setModel(model: Model) {
      session.model = model;
    },
    async setTitle(title: string) {
      session.state = { ...session.state, title };
    },
    async compact() {
      calls.push('compact');
    },
    async rewind(turns: number) {
      calls.push(`rewind ${turns}`);
      const messages = session.state.messages.flatMap((message) =>
        message.role === 'user' && typeof message.content === 'string' ? [message.content] : [],
      );
      return messages.slice(-turns);
    },
    async restore() {
      calls.push('restore');
      return [];
    },
    async close() {
      calls.push('close');
    },
  };
  return session;
}
