import { randomUUID } from 'node:crypto';
import { errorMessage } from '@gateway/contract/error-code';
import { type CallDependencies, createEmitter, createRequests, type Emit } from './call-dependencies.ts';
import type { AgentDependencies } from './dependencies.ts';
import { replaceMessages, type StateBox, summarize } from './make-room.ts';
import { addCost } from './model-call.ts';
import { runCall } from './run-call.ts';
import { createInTurn, type InTurn, isOfUser, messageText, NO_USAGE, rewind, titleOf } from './state.ts';
import { type Ending, endingOf, runTurn, type TurnDependencies } from './turn.ts';
import {
  type AgentSession,
  type Approval,
  type CallOutcome,
  type ContentPart,
  type Json,
  type Message,
  type Mode,
  type Model,
  ModelRefused,
  type Question,
  type SessionState,
  type ToolCallSummary,
  type ToolResult,
  type TurnOutcome,
  type Usage,
} from './types/index.ts';
import { validHistory } from './valid-history.ts';

/** Starts or resumes a session. Nothing is called and nothing written before the first message. */
export function createSession(
  dependencies: AgentDependencies,
  start: {
    readonly state: SessionState;
    readonly model: Model;
    readonly mode: Mode;
    readonly parentSession?: string;
    readonly inTurn?: InTurn;
  },
): AgentSession {
  const { emit, subscribe } = createEmitter();
  const approvals = createRequests<Approval>();
  const questions = createRequests<string | null>();
  const children = new Set<AgentSession>();
  const hooks = dependencies.hooks?.((text) => emit({ type: 'notice', level: 'warning', text })) ?? null;
  const inTurn = start.inTurn ?? createInTurn();
  let hasStarted = false;
  let background = new AbortController();
  /** The tools of this turn alone; null offers all. */
  let offered: readonly string[] | null = null;
  let { state, model, mode } = start;
  let controller: AbortController | null = null;
  /** What `rewind` dropped, the latest last. */
  let undone: { readonly messages: readonly Message[]; readonly turns: number }[] = [];
  let childUsage: Usage[] = [];
  /** What the user said while the turn was running, until the model gets it. */
  let steering: string[] = [];

  const box: StateBox = {
    get: () => state,
    change(change) {
      state = { ...state, ...change, updatedAt: dependencies.clock.now().toISOString() };
    },
  };

  const asking =
    (signal: AbortSignal) =>
    async ({ question, options }: Question): Promise<string | null> => {
      const request = questions.open(signal);
      emit({ type: 'question', id: request.id, question, options });
      return request.answer;
    };

  function turnDependencies(signal: AbortSignal, summaries: ToolCallSummary[]): TurnDependencies {
    const calls: CallDependencies = {
      dependencies,
      emit,
      approvals,
      session: state.id,
      parentSession: start.parentSession ?? null,
      project: state.project,
      signal,
      mode: () => mode,
      setChecklist(items) {
        box.change({ checklist: items });
        emit({ type: 'checklist', items });
      },
      hooks,
      toBackground: () => background.signal,
      inTurn,
      ask: (question) => inTurn(() => asking(signal)(question)),
      runAgent:
        dependencies.createChild === undefined
          ? null
          : async ({ prompt, agent, call }) => {
              const child = await dependencies.createChild?.(agent ?? null, inTurn);
              if (child === undefined) throw new Error('Sub-agents are not available here.');
              children.add(child);
              child.setMode(mode);
              try {
                const ran = await runChild(child, prompt, { signal, emit, call });
                summaries.push(...ran.toolCalls);
                childUsage.push(ran.usage);
                box.change({ cost: addCost(state.cost, child.state.cost) });
                return ran.result;
              } finally {
                children.delete(child);
              }
            },
      note: (summary) => summaries.push(summary),
    };
    return {
      dependencies: {
        ...dependencies,
        tools: async () =>
          (await dependencies.tools()).filter(({ name }) => offered === null || isOffered(name, offered)),
      },
      emit,
      box,
      calls,
      signal,
      takeSteering,
      model: () => model,
      setContextLength(tokens) {
        model = { ...model, contextLength: tokens };
      },
    };
  }

  async function takeSteering(): Promise<readonly Message[]> {
    const given = steering;
    steering = [];
    const messages: Message[] = [];
    for (const message of given) {
      const { text } = dependencies.mask(message);
      await dependencies.record.append({ kind: 'prompt', text });
      emit({ type: 'steered', message: text });
      messages.push({ role: 'user', content: text, steering: true });
    }
    return messages;
  }

  async function submit(
    message: string | readonly ContentPart[],
    options: { readonly tools?: readonly string[] | null } = {},
  ): Promise<TurnOutcome> {
    if (controller !== null) throw new Error('A turn is running already.');
    offered = options.tools ?? null;
    const own = new AbortController();
    controller = own;
    childUsage = [];
    undone = [];
    const summaries: ToolCallSummary[] = [];
    const before = state.usage;
    const { content, text, masked } = maskMessage(message, dependencies.mask);
    let ending: Ending;
    emit({ type: 'turn-started', message: text });
    try {
      await prepare();
      if (masked > 0) {
        const secrets = masked === 1 ? '1 secret was' : `${masked} secrets were`;
        emit({ type: 'notice', level: 'warning', text: `${secrets} masked in your message before it was sent.` });
      }
      if (model.images === false && hasImage(content))
        emit({
          type: 'notice',
          level: 'warning',
          text: `${model.name} accepts no images: it gets a note that one was here. Choose another model with /model.`,
        });
      if (!hasStarted && start.parentSession === undefined)
        await hooks?.at('session-start', { project: state.project });
      hasStarted = true;
      await dependencies.record.append({ kind: 'prompt', text });
      replaceMessages(box, [...validHistory(state.messages), { role: 'user', content }]);
      box.change({
        turns: state.turns + 1,
        title: state.title === '' ? titleOf(text) : state.title,
        model: model.name,
      });
      await dependencies.save(state);
      await dependencies.snapshots.begin(state.turns);
      ending = await runTurn(turnDependencies(own.signal, summaries));
    } catch (error) {
      ending = { answer: '', ...endingOf(error, own.signal) };
    }
    await closeTurn();
    const { status } = ending;
    if (start.parentSession === undefined)
      await attempt('A hook failed', async () => hooks?.at('turn-end', { status, answer: ending.answer }));
    controller = null;
    const outcome: TurnOutcome = {
      ...ending,
      unread: steering,
      toolCalls: summaries,
      usage: usageSince(before, state.usage, childUsage),
    };
    steering = [];
    emit({ type: 'turn-ended', outcome });
    return outcome;
  }

  /** Before anything is done: the session's standing, the organization's policy, servers. */
  async function prepare(): Promise<void> {
    const standing = await dependencies.organization.standing(state.id);
    if (standing === 'revoked')
      throw new ModelRefused('This agent session was revoked by your organization’s administration.', 403, true);
    for (const line of await dependencies.beforeTurn()) emit({ type: 'notice', level: 'warning', text: line });
  }

  async function call(tool: string, args: Json): Promise<CallOutcome> {
    if (controller !== null) throw new Error('A turn is running already.');
    const own = new AbortController();
    controller = own;
    try {
      await prepare();
      const { calls } = turnDependencies(own.signal, []);
      const id = `own_${randomUUID()}`;
      return await runCall(calls, await dependencies.tools(), { id, name: tool, arguments: JSON.stringify(args) });
    } finally {
      controller = null;
    }
  }

  async function closeTurn(): Promise<void> {
    await attempt('The changes of this turn cannot be undone', () => dependencies.snapshots.end());
    if (state.turns > 0) await attempt('The turn was not kept', () => dependencies.save(state));
  }

  async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const why = errorMessage(error);
      emit({ type: 'notice', level: 'warning', text: `${failure}: ${why}` });
    }
  }

  return {
    get state() {
      return state;
    },
    get mode() {
      return mode;
    },
    get running() {
      return controller !== null;
    },
    get model() {
      return model;
    },
    snapshots: dependencies.snapshots,
    jobs: dependencies.jobs,
    servers: () => dependencies.servers(),
    subscribe,
    submit,
    steer(message) {
      if (controller === null) return false;
      steering.push(message);
      return true;
    },
    unsteer(message) {
      const at = steering.lastIndexOf(message);
      if (at < 0) return false;
      steering.splice(at, 1);
      return true;
    },
    call,
    toBackground() {
      if (controller === null) return false;
      background.abort();
      background = new AbortController();
      for (const child of children) child.toBackground();
      return true;
    },
    interrupt: () => controller?.abort(new Error('interrupted')),
    decide: (id, approval) =>
      approvals.settle(id, approval) || [...children].some((child) => child.decide(id, approval)),
    answer: (id, text) => questions.settle(id, text) || [...children].some((child) => child.answer(id, text)),
    setMode(next) {
      mode = next;
      for (const child of children) child.setMode(next);
      emit({ type: 'mode-changed', mode });
    },
    setModel(next) {
      model = next;
      box.change({ model: next.name });
    },
    async setTitle(title) {
      box.change({ title: titleOf(title) });
      await dependencies.save(state);
    },
    async compact() {
      if (controller !== null) throw new Error('A turn is running.');
      controller = new AbortController();
      try {
        if (!(await summarize(turnDependencies(controller.signal, []))))
          emit({ type: 'notice', level: 'info', text: 'There is nothing to summarize: the conversation is short.' });
      } finally {
        controller = null;
      }
    },
    async rewind(turns) {
      const { dropped, ...left } = rewind(state, turns);
      if (left.messages === state.messages) return [];
      undone.push({ messages: state.messages, turns: state.turns });
      replaceMessages(box, left.messages);
      box.change({ turns: left.turns });
      await dependencies.save(state);
      return dropped;
    },
    async restore() {
      const latest = undone.pop();
      if (latest === undefined) return [];
      const back = latest.messages.slice(state.messages.length).filter(isOfUser).map(messageText);
      replaceMessages(box, latest.messages);
      box.change({ turns: latest.turns });
      await dependencies.save(state);
      return back;
    },
    async close() {
      controller?.abort(new Error('The session ends.'));
      await dependencies.close();
    },
  };
}

function hasImage(content: Message['content']): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image');
}

function maskMessage(
  message: string | readonly ContentPart[],
  mask: AgentDependencies['mask'],
): { readonly content: string | readonly ContentPart[]; readonly text: string; readonly masked: number } {
  if (typeof message === 'string') {
    const { text, masked } = mask(message);
    return { content: text, text, masked };
  }
  let masked = 0;
  const content = message.map((part) => {
    if (part.type !== 'text') return part;
    const one = mask(part.text);
    masked += one.masked;
    return { type: 'text' as const, text: one.text };
  });
  return { content, text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''), masked };
}

/** What a turn used, its sub-agents included. */
function usageSince(before: Usage, after: Usage, children: readonly Usage[]): Usage {
  const sum = (member: keyof Usage): number =>
    after[member] - before[member] + children.reduce((total, one) => total + one[member], NO_USAGE[member]);
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), calls: sum('calls') };
}

/** Whether a tool is among those that an agent or a command is offered: names, with patterns or without; `*` matches any text. */
export function isOffered(name: string, offered: readonly string[]): boolean {
  return offered.some((one) => {
    const wanted = one.replace(/\(.*$/s, '').trim().toLowerCase();
    return wanted.endsWith('*') ? name.toLowerCase().startsWith(wanted.slice(0, -1)) : wanted === name.toLowerCase();
  });
}

/**
 * Runs one prompt in a sub-agent's session. Its calls, permissions and notices appear in the parent's events; its
 * conversation stays its own, and only the answer goes back.
 */
async function runChild(
  child: AgentSession,
  prompt: string,
  { signal, emit, call }: { readonly signal: AbortSignal; readonly emit: Emit; readonly call: string },
): Promise<{ readonly result: ToolResult; readonly toolCalls: readonly ToolCallSummary[]; readonly usage: Usage }> {
  const session = child.state.id;
  let tokens = 0;
  const leave = child.subscribe((event) => {
    switch (event.type) {
      case 'permission-requested':
        emit({ ...event, subAgent: session });
        break;
      case 'tool-proposed':
        emit({ ...event, parentCall: call });
        emit({ type: 'sub-agent', call, doing: `${event.tool} ${event.target}`.trim(), tokens });
        break;
      case 'usage':
        tokens = event.total.inputTokens + event.total.outputTokens;
        emit({ type: 'sub-agent', call, doing: null, tokens });
        break;
      case 'permission-decided':
      case 'tool-started':
      case 'tool-output':
      case 'tool-finished':
      case 'notice':
      case 'question':
        emit(event);
        break;
      default: // its words, usage and turns are its own
    }
  });
  const interrupt = (): void => child.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    signal.throwIfAborted();
    const outcome = await child.submit(prompt);
    signal.throwIfAborted();
    const { toolCalls, usage } = outcome;
    if (outcome.status === 'completed') {
      const content = outcome.answer === '' ? 'The sub-agent ended without an answer.' : outcome.answer;
      return { result: { outcome: 'succeeded', content }, toolCalls, usage };
    }
    const why = outcome.error?.message ?? 'It ended early.';
    const content = `The sub-agent did not finish: ${why}${outcome.answer === '' ? '' : `\nIts last words: ${outcome.answer}`}`;
    return { result: { outcome: 'failed', content }, toolCalls, usage };
  } finally {
    signal.removeEventListener('abort', interrupt);
    leave();
    await child.close();
  }
}
