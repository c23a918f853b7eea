import type { CallDependencies } from './call-dependencies.ts';
import { compact, isFull, plainSummary, planCompaction, summaryRequest } from './compaction.ts';
import type { AgentDependencies } from './dependencies.ts';
import type { Emit } from './emitter.ts';
import { callModel, estimateTokens } from './model-call.ts';
import { createRepeats } from './repeats.ts';
import { runCall } from './run-call.ts';
import { addUsage } from './state.ts';
import { type Message, type Model, ModelFailed, ModelRefused, type SessionState, type TurnOutcome } from './types.ts';

/** The state of a session as the turn sees and changes it. */
export interface StateBox {
  get(): SessionState;
  change(change: Partial<SessionState>): void;
}

export interface TurnDependencies {
  readonly dependencies: AgentDependencies;
  readonly emit: Emit;
  readonly box: StateBox;
  readonly calls: CallDependencies;
  readonly signal: AbortSignal;
  model(): Model;
}

type Ending = Pick<TurnOutcome, 'status' | 'answer' | 'error'>;

/** Calls the model and its tools until the model asks for nothing more. The user's message is in the state already. */
export async function runTurn(turn: TurnDependencies): Promise<Ending> {
  const { dependencies, emit, box, signal } = turn;
  const repeats = createRepeats();
  let answer = '';
  for (let step = 0; step < dependencies.mostSteps; step += 1) {
    await compactIfFull(turn);
    const tools = await dependencies.tools();
    const request = {
      messages: [{ role: 'system' as const, content: dependencies.systemPrompt() }, ...box.get().messages],
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      session: box.get().id,
    };
    const reply = await callModel(turn.model(), request, signal, emit);
    countUsage(turn, reply.usage, request.messages);
    if (reply.text !== '') answer = reply.text;
    if (reply.text !== '' || reply.calls.length > 0) {
      push(turn, {
        role: 'assistant',
        content: dependencies.mask(reply.text).text,
        ...(reply.calls.length === 0
          ? {}
          : { toolCalls: reply.calls.map((call) => ({ ...call, arguments: dependencies.mask(call.arguments).text })) }),
      });
    }
    if (reply.error !== null) return { answer, ...endingOf(reply.error, signal) };
    emit({ type: 'message-finished', text: reply.text });
    await dependencies.save(box.get());
    if (reply.calls.length === 0) return { status: 'completed', answer: reply.text, error: null };
    for (const [at, call] of reply.calls.entries()) {
      const rest = reply.calls.slice(at + 1);
      let done: Awaited<ReturnType<typeof runCall>>;
      try {
        signal.throwIfAborted();
        done = await runCall(turn.calls, tools, call);
      } catch (error) {
        answerAll(turn, [call, ...rest], 'The call was interrupted.');
        return { answer, ...endingOf(error, signal) };
      }
      push(turn, { role: 'tool', callId: call.id, content: done.content });
      await dependencies.save(box.get());
      if (done.stop) {
        answerAll(turn, rest, 'The call was not run: the user stopped the turn.');
        return { status: 'interrupted', answer, error: errorOf('The user denied a call and stopped the turn.') };
      }
      if (repeats.note(call, done.outcome)) {
        answerAll(turn, rest, 'The call was not run.');
        return askForHelp(turn, call.name, done.content);
      }
    }
  }
  const limit = `The turn ended after ${dependencies.mostSteps} calls of the model, the most of one turn. Send another message to continue.`;
  return { status: 'failed', answer, error: { message: limit, status: null, revoked: false, cause: 'limit' } };
}

/** Three identical calls failed: the user has to decide how to continue. */
function askForHelp(turn: TurnDependencies, tool: string, reason: string): Ending {
  const question = `I called ${tool} three times with the same arguments, and it failed each time: ${reason.slice(0, 500)}\n\nHow should I continue?`;
  push(turn, { role: 'assistant', content: question });
  turn.emit({ type: 'text', text: question });
  turn.emit({ type: 'message-finished', text: question });
  return {
    status: 'failed',
    answer: question,
    error: {
      message: `Three identical calls of ${tool} failed.`,
      status: null,
      revoked: false,
      cause: 'repeated-call',
    },
  };
}

function push({ box }: Pick<TurnDependencies, 'box'>, ...messages: readonly Message[]): void {
  box.change({ messages: [...box.get().messages, ...messages] });
}

/** Every call needs a result, or the next request is refused by the engine. */
function answerAll(turn: TurnDependencies, calls: readonly { readonly id: string }[], content: string): void {
  push(turn, ...calls.map(({ id }) => ({ role: 'tool' as const, callId: id, content })));
}

function countUsage(
  turn: TurnDependencies,
  usage: { readonly input: number; readonly output: number } | null,
  messages: readonly Message[],
): void {
  const { box, emit } = turn;
  const { usage: before } = box.get();
  const total = addUsage(before, { inputTokens: usage?.input ?? 0, outputTokens: usage?.output ?? 0, calls: 1 });
  const contextTokens = usage === null || usage.input === 0 ? estimateTokens(messages) : usage.input + usage.output;
  const cost = addCost(box.get().cost, costOf(usage, turn.model().prices));
  box.change({ usage: total, contextTokens, cost });
  emit({ type: 'usage', total, contextTokens, cost });
}

/** Euros of one call; null where the model has no prices or the engine does not count. */
function costOf(
  usage: { readonly input: number; readonly output: number } | null,
  prices: Model['prices'],
): number | null {
  return usage === null || prices === null
    ? null
    : (usage.input * prices.input + usage.output * prices.output) / 1_000_000;
}

export function addCost(one: number | null, more: number | null): number | null {
  return one === null ? more : one + (more ?? 0);
}

export function errorOf(message: string, status: number | null = null, revoked = false): TurnOutcome['error'] {
  return { message, status, revoked };
}

/** How a turn ends by a fault. */
export function endingOf(error: unknown, signal: AbortSignal): Pick<TurnOutcome, 'status' | 'error'> {
  if (signal.aborted) return { status: 'interrupted', error: errorOf('The turn was interrupted.') };
  if (error instanceof ModelRefused)
    return { status: 'refused', error: errorOf(error.message, error.status, error.revoked) };
  if (error instanceof ModelFailed) return { status: 'failed', error: errorOf(error.message, error.status) };
  return { status: 'failed', error: errorOf(error instanceof Error ? error.message : String(error)) };
}

async function compactIfFull(turn: TurnDependencies): Promise<void> {
  if (isFull(turn.box.get().contextTokens, turn.model().contextLength)) await compactNow(turn);
}

/** Summarizes everything between the task and the latest messages. */
export async function compactNow(turn: TurnDependencies): Promise<void> {
  const { box, emit, signal, dependencies } = turn;
  const plan = planCompaction(box.get().messages, turn.model().contextLength);
  if (plan === null) {
    emit({ type: 'notice', level: 'info', text: 'There is nothing to summarize: the conversation is short.' });
    return;
  }
  const content = dependencies.mask(summaryRequest(plan.dropped)).text;
  const request = { messages: [{ role: 'user' as const, content }], tools: [], session: box.get().id };
  const reply = await callModel(turn.model(), request, signal, () => undefined);
  signal.throwIfAborted();
  if (reply.error instanceof ModelRefused) throw reply.error;
  const summary = reply.error === null && reply.text.trim() !== '' ? reply.text : plainSummary(plan.dropped);
  const messages = compact(plan, dependencies.mask(summary).text, box.get().checklist);
  const { usage, cost } = box.get();
  box.change({
    cost: addCost(cost, costOf(reply.usage, turn.model().prices)),
    messages,
    contextTokens: estimateTokens(messages),
    usage: addUsage(usage, { inputTokens: reply.usage?.input ?? 0, outputTokens: reply.usage?.output ?? 0, calls: 1 }),
  });
  await dependencies.save(box.get());
  emit({ type: 'compacted', dropped: plan.dropped.length, summary });
}
