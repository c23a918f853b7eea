import { errorMessage } from '@gateway/contract/error-code';
import type { CallDependencies } from './call-dependencies.ts';
import { addCost, costOf } from './cost.ts';
import type { AgentDependencies } from './dependencies.ts';
import { addMessages, makeRoomAfter, makeRoomIfFull, type RoomDependencies } from './make-room.ts';
import { callModel, estimateTokens, type ModelAnswer } from './model-call.ts';
import { createRepeats } from './repeats.ts';
import { runCall } from './run-call.ts';
import { addUsage } from './state.ts';
import { ContextExceeded, ModelFailed, ModelRefused, type Tool, type TurnOutcome } from './types.ts';

export interface TurnDependencies extends RoomDependencies {
  readonly dependencies: AgentDependencies;
  readonly calls: CallDependencies;
}

type Ending = Pick<TurnOutcome, 'status' | 'answer' | 'error'>;

/** Calls the model and its tools until the model asks for nothing more. The user's message is in the state already. */
export async function runTurn(turn: TurnDependencies): Promise<Ending> {
  const { dependencies, emit, box, signal } = turn;
  const repeats = createRepeats();
  let answer = '';
  for (let step = 0; step < dependencies.mostSteps; step += 1) {
    await makeRoomIfFull(turn);
    const tools = await dependencies.tools();
    const reply = await ask(turn, tools);
    if (reply.text !== '') answer = reply.text;
    if (reply.text !== '' || reply.calls.length > 0) {
      addMessages(turn.box, {
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
      addMessages(turn.box, { role: 'tool', callId: call.id, content: done.content });
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

/** Calls the model with the conversation; once more with a shorter one where the engine says that it is too long. */
async function ask(turn: TurnDependencies, tools: readonly Tool[]): Promise<ModelAnswer> {
  const { dependencies, emit, box, signal } = turn;
  for (let isSecond = false; ; isSecond = true) {
    const request = {
      messages: [{ role: 'system' as const, content: dependencies.systemPrompt() }, ...box.get().messages],
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      session: box.get().id,
    };
    const reply = await callModel(turn.model(), request, signal, emit);
    const size = estimateTokens(request.messages, request.tools);
    countUsage(turn, reply.usage, size);
    if (isSecond || reply.text !== '' || !(reply.error instanceof ContextExceeded)) return reply;
    if (!(await makeRoomAfter(turn, reply.error, size))) return reply;
  }
}

/** Three identical calls failed: the user has to decide how to continue. */
function askForHelp(turn: TurnDependencies, tool: string, reason: string): Ending {
  const question = `I called ${tool} three times with the same arguments, and it failed each time: ${reason.slice(0, 500)}\n\nHow should I continue?`;
  addMessages(turn.box, { role: 'assistant', content: question });
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

/** Every call needs a result, or the next request is refused by the engine. */
function answerAll(turn: TurnDependencies, calls: readonly { readonly id: string }[], content: string): void {
  addMessages(turn.box, ...calls.map(({ id }) => ({ role: 'tool' as const, callId: id, content })));
}

function countUsage(
  turn: TurnDependencies,
  usage: { readonly input: number; readonly output: number } | null,
  /** Tokens of the request, about. */
  size: number,
): void {
  const { box, emit } = turn;
  const { usage: before } = box.get();
  const total = addUsage(before, { inputTokens: usage?.input ?? 0, outputTokens: usage?.output ?? 0, calls: 1 });
  const contextTokens = usage === null || usage.input === 0 ? size : usage.input + usage.output;
  const cost = addCost(box.get().cost, costOf(usage, turn.model().prices));
  box.change({ usage: total, contextTokens, cost });
  emit({ type: 'usage', total, contextTokens, cost });
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
  return { status: 'failed', error: errorOf(errorMessage(error)) };
}
