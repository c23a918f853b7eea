import type { Emit } from './call-dependencies.ts';
import type { AgentDependencies } from './dependencies.ts';
import { addCost, callModel, costOf, estimateTokens } from './model-call.ts';
import { addUsage, isSummary, messageText } from './state.ts';
import {
  type ChecklistItem,
  type ContextExceeded,
  type Message,
  type Model,
  ModelRefused,
  type SessionState,
} from './types/index.ts';

/** Part of the context that may be full before older messages are summarized. */
const FULL = 0.85;
/** Part of the context that the latest messages may keep. */
const KEPT = 0.3;
/** Tokens, where the configuration names no context length. */
const USUAL_CONTEXT = 128_000;
/** Characters of one message that the summary is made from. */
const MOST_CHARACTERS = 4_000;

interface CompactionPlan {
  /** The first message of the user: the task. */
  readonly task: Message;
  readonly dropped: readonly Message[];
  readonly kept: readonly Message[];
}

export function isFull(contextTokens: number, contextLength: number | null): boolean {
  return contextTokens > (contextLength ?? USUAL_CONTEXT) * FULL;
}

/** Characters that the latest messages may keep, where `overhead` tokens are those of the instructions and tools. */
export function roomOf(contextLength: number | null, overhead: number): number {
  const length = contextLength ?? USUAL_CONTEXT;
  return Math.max(length / 10, length - overhead) * KEPT * 4;
}

/**
 * What to summarize: everything between the task and the latest messages, which take `room` characters. Null where there
 * is nothing between them but a summary. The latest messages begin with a message of the user or the model, so that no
 * result loses its call.
 */
export function planCompaction(messages: readonly Message[], room: number): CompactionPlan | null {
  const task = messages.findIndex(({ role }) => role === 'user');
  if (task < 0) return null;
  let begin = messages.length;
  let size = 0;
  for (let at = messages.length - 1; at > task; at -= 1) {
    const message = messages[at] as Message;
    size += JSON.stringify(message).length;
    if (size > room && begin < messages.length) break;
    if (message.role !== 'tool') begin = at;
  }
  const dropped = messages.slice(task + 1, begin);
  if (dropped.every(isSummary)) return null;
  return { task: messages[task] as Message, dropped, kept: messages.slice(begin) };
}

/** The request for a summary, as one message of the user. Messages are cut so that all fit into twice the `room`. */
export function summaryRequest(dropped: readonly Message[], room: number): string {
  const most = Math.max(100, Math.min(MOST_CHARACTERS, Math.floor((2 * room) / dropped.length)));
  return [
    'Summarize this part of a conversation between a user and a coding agent, so that the agent can go on without it.',
    'Keep: what the user asked for and decided, what was done and found, files with their paths, commands with their results, what is left to do. Leave out: pleasantries, contents of files. At most 600 words.',
    '',
    ...dropped.map((message) => transcriptOf(message, most)),
  ].join('\n');
}

function transcriptOf(message: Message, most: number): string {
  const text = messageText(message);
  const shown = text.length > most ? `${text.slice(0, most)} […]` : text;
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    `${message.role}: ${shown}`,
    ...calls.map((call) => `calls ${call.name} ${call.arguments.slice(0, most / 10)}`),
  ].join('\n');
}

/** The substitute if the model returns no summary: the user's messages and the calls, the latest where all are too many. */
export function plainSummary(dropped: readonly Message[], room: number): string {
  const lines = dropped.flatMap((message) => {
    if (isSummary(message)) return [messageText(message).slice(0, MOST_CHARACTERS)];
    if (message.role === 'user') return [`The user said: ${messageText(message).slice(0, 500)}`];
    if (message.role !== 'assistant') return [];
    return (message.toolCalls ?? []).map((call) => `You called ${call.name} ${call.arguments.slice(0, 200)}`);
  });
  return lines
    .slice(-200)
    .join('\n')
    .slice(-room / 2);
}

/** The conversation after compaction: the task, the summary with the plan, the latest messages. */
export function compact(
  plan: CompactionPlan,
  summary: string,
  checklist: readonly ChecklistItem[],
): readonly Message[] {
  const items = checklist.map(
    ({ text, state }) => `- [${state === 'done' ? 'x' : state === 'doing' ? '>' : ' '}] ${text}`,
  );
  const parts = [
    `[${plan.dropped.length} earlier messages were summarized to make room.]`,
    summary.trim(),
    ...(items.length === 0 ? [] : [`The plan:\n${items.join('\n')}`]),
  ];
  return [plan.task, { role: 'user', content: parts.join('\n\n'), summary: true }, ...plan.kept];
}

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

/** Shorter ones are left as they are: a note would take their place. */
const SHORT = 400;

/**
 * The conversation with its longest results of tools cut, so that all results together have about `room` characters.
 * Null where no result is longer than its share.
 */
export function shortenResults(messages: readonly Message[], room: number): readonly Message[] | null {
  const most = Math.max(
    SHORT,
    shareOf(
      messages.flatMap(({ role, content }) => (role === 'tool' ? content.length : [])),
      room,
    ),
  );
  if (!messages.some(({ role, content }) => role === 'tool' && content.length > most)) return null;
  return messages.map((message) =>
    message.role === 'tool' && message.content.length > most
      ? { ...message, content: shortenText(message.content, most) }
      : message,
  );
}

/** The length that each may have, if what the shorter ones leave is divided among the longer ones. */
function shareOf(lengths: readonly number[], room: number): number {
  let left = room;
  const sorted = lengths.toSorted((one, other) => one - other);
  for (const [at, length] of sorted.entries()) {
    const share = left / (sorted.length - at);
    if (length > share) return Math.floor(share);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function shortenText(text: string, most: number): string {
  const note = `\n[… ${text.length - most} characters were left out: the context of the model is full. Ask for a smaller part.]\n`;
  const half = Math.floor((most - note.length) / 2);
  return `${text.slice(0, half)}${note}${text.slice(-half)}`;
}
