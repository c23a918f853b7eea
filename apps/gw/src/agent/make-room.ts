import { compact, isFull, plainSummary, planCompaction, roomOf, summaryRequest } from './compaction.ts';
import { addCost, costOf } from './cost.ts';
import type { AgentDependencies } from './dependencies.ts';
import type { Emit } from './emitter.ts';
import { callModel, estimateTokens } from './model-call.ts';
import { shortenResults } from './shorten-results.ts';
import { addUsage } from './state.ts';
import { type ContextExceeded, type Message, type Model, ModelRefused, type SessionState } from './types.ts';

/** The state of a session as the turn sees and changes it. */
export interface StateBox {
  get(): SessionState;
  change(change: Partial<SessionState>): void;
}
export interface RoomDependencies {
  readonly dependencies: Pick<AgentDependencies, 'mask' | 'save'>;
  readonly emit: Emit;
  readonly box: StateBox;
  readonly signal: AbortSignal;
  model(): Model;
  /** What the engine said that its model takes, in tokens. */
  setContextLength(tokens: number): void;
}

/** Adds messages, and the tokens that they will take, about. The engine has counted its own answers. */
export function addMessages(box: StateBox, ...messages: readonly Message[]): void {
  const { messages: before, contextTokens } = box.get();
  const more = estimateTokens(messages.filter(({ role }) => role !== 'assistant'));
  box.change({ messages: [...before, ...messages], contextTokens: contextTokens + more });
}

/**
 * Makes the conversation shorter where it fills the context: a summary of its older part, then shorter results.
 * @returns whether it was shortened
 */
export async function makeRoomIfFull(turn: RoomDependencies): Promise<boolean> {
  const isTooLong = (): boolean => isFull(turn.box.get().contextTokens, turn.model().contextLength);
  if (!isTooLong()) return false;
  const before = turn.box.get().messages;
  await summarize(turn);
  if (isTooLong()) await shorten(turn);
  return turn.box.get().messages !== before;
}

/** Calls of which `MOST_SHORTENED` need a shorter conversation: then the work does not fit the context. */
const WATCHED_CALLS = 5;
const MOST_SHORTENED = 3;

/** Notices that room is made for nearly every call of a turn. */
export function createRoomWatch() {
  let shortened: readonly number[] = [];
  return {
    isThrashing(step: number, isShortened: boolean): boolean {
      if (isShortened) shortened = [...shortened, step].filter((one) => one > step - WATCHED_CALLS);
      return isShortened && shortened.length >= MOST_SHORTENED;
    },
  };
}

/**
 * Makes the conversation shorter after the engine refused it, and keeps in mind what the model takes. False where it
 * cannot be made shorter.
 */
export async function makeRoomAfter(turn: RoomDependencies, refusal: ContextExceeded, asked: number): Promise<boolean> {
  const { box, emit } = turn;
  // The engine counts otherwise than the estimate, and leaves room for the answer.
  turn.setContextLength(Math.min(refusal.tokens ?? asked, asked));
  box.change({ contextTokens: Math.max(box.get().contextTokens, asked) });
  const before = box.get().messages;
  await makeRoomIfFull(turn);
  if (box.get().messages === before) return false;
  const { name } = turn.model();
  const length = refusal.tokens === null ? 'contextLength' : `contextLength: ${refusal.tokens}`;
  const text = `The conversation was longer than ${name} takes. It was made shorter. Set ${length} for it in the configuration, so that this happens in time.`;
  emit({ type: 'notice', level: 'warning', text });
  return true;
}

/** Summarizes everything between the task and the latest messages. False where there is nothing to summarize. */
export async function summarize(turn: RoomDependencies): Promise<boolean> {
  const { box, emit, signal, dependencies } = turn;
  const room = roomFor(turn);
  const plan = planCompaction(box.get().messages, room);
  if (plan === null) return false;
  const content = dependencies.mask(summaryRequest(plan.dropped, room)).text;
  const request = { messages: [{ role: 'user' as const, content }], tools: [], session: box.get().id };
  const reply = await callModel(turn.model(), request, signal, () => undefined);
  signal.throwIfAborted();
  if (reply.error instanceof ModelRefused) throw reply.error;
  const summary = reply.error === null && reply.text.trim() !== '' ? reply.text : plainSummary(plan.dropped, room);
  const { usage, cost, checklist } = box.get();
  box.change({
    cost: addCost(cost, costOf(reply.usage, turn.model().prices)),
    usage: addUsage(usage, { inputTokens: reply.usage?.input ?? 0, outputTokens: reply.usage?.output ?? 0, calls: 1 }),
  });
  replaceMessages(box, compact(plan, dependencies.mask(summary).text, checklist));
  await dependencies.save(box.get());
  emit({ type: 'compacted', dropped: plan.dropped.length, summary });
  return true;
}

async function shorten(turn: RoomDependencies): Promise<void> {
  const { box, emit, dependencies } = turn;
  const shorter = shortenResults(box.get().messages, roomFor(turn));
  if (shorter === null) return;
  replaceMessages(box, shorter);
  await dependencies.save(box.get());
  emit({ type: 'notice', level: 'info', text: 'Long results of tools were cut to fit the context of the model.' });
}

/** Replaces the conversation, and counts what the change takes or gives. */
export function replaceMessages(box: StateBox, messages: readonly Message[]): void {
  const { messages: before, contextTokens } = box.get();
  const now = estimateTokens(messages);
  box.change({ messages, contextTokens: Math.max(now, contextTokens - estimateTokens(before) + now) });
}

function roomFor(turn: RoomDependencies): number {
  const { contextTokens, messages } = turn.box.get();
  return roomOf(turn.model().contextLength, Math.max(0, contextTokens - estimateTokens(messages)));
}
