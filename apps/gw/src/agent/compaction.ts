import { isSummary } from './rewind.ts';
import { textOf } from './state.ts';
import type { ChecklistItem, Message } from './types.ts';

/** Part of the context that may be full before older messages are summarized. */
const FULL = 0.85;
/** Part of the context that the latest messages may keep. */
const KEPT = 0.3;
/** Tokens, where the configuration names no context length. */
export const USUAL_CONTEXT = 128_000;
/** Characters of one message that the summary is made from. */
const MOST_CHARACTERS = 4_000;

export interface CompactionPlan {
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
  const text = textOf(message);
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
    if (isSummary(message)) return [textOf(message).slice(0, MOST_CHARACTERS)];
    if (message.role === 'user') return [`The user said: ${textOf(message).slice(0, 500)}`];
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
