import { randomBytes } from 'node:crypto';
import type { Message, SessionState, Usage } from './types/index.ts';

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, calls: 0 };
const LONGEST_TITLE = 200;

export function newState(of: {
  readonly now: Date;
  readonly directory: string;
  readonly project: string;
  readonly model: string;
  readonly parent?: string;
}): SessionState {
  const at = of.now.toISOString();
  return {
    version: 1,
    id: newIdentifier(of.now),
    parent: of.parent ?? null,
    title: '',
    directory: of.directory,
    project: of.project,
    model: of.model,
    startedAt: at,
    updatedAt: at,
    turns: 0,
    messages: [],
    usage: NO_USAGE,
    contextTokens: 0,
    cost: null,
    checklist: [],
  };
}

/** A copy under a new identifier; the old session does not change. */
export function forkState(state: SessionState, now: Date): SessionState {
  const at = now.toISOString();
  return { ...state, id: newIdentifier(now), parent: state.id, startedAt: at, updatedAt: at };
}

/** A message in one line of at most 200 characters. */
export function titleOf(message: string): string {
  const line = message
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line.length <= LONGEST_TITLE) return line;
  const cut = line.slice(0, LONGEST_TITLE - 1).replace(/[\uD800-\uDBFF]$/, ''); // half a character
  return `${cut.trimEnd()}…`;
}

export function addUsage(one: Usage, more: Usage): Usage {
  return {
    inputTokens: one.inputTokens + more.inputTokens,
    outputTokens: one.outputTokens + more.outputTokens,
    calls: one.calls + more.calls,
  };
}

/** The text of a message; images are left out. */
export function messageText(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** A UUID of version 7 (RFC 9562): identifiers sort by their time. */
export function newIdentifier(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Runs work one after the other: sub-agents that work side by side must not ask the person at once. */
export type InTurn = <Result>(work: (hasWaited: boolean) => Promise<Result>) => Promise<Result>;

export function createInTurn(): InTurn {
  let latest: Promise<unknown> = Promise.resolve();
  let running = 0;
  return (work) => {
    const hasWaited = running > 0;
    running += 1;
    const mine = latest.then(() => work(hasWaited));
    latest = mine.then(
      () => (running -= 1),
      () => (running -= 1),
    );
    return mine;
  };
}

export type Conversation = Pick<SessionState, 'messages' | 'turns'>;

const UNDONE =
  '[The user undid the latest turn of this summary. Do not rely on what it did: its changes of files were reverted.]';

/**
 * The conversation without its latest turns, and the messages of the user that were dropped. Of a turn that became part
 * of a summary, only what followed the summary can be dropped.
 */
export function rewind(
  { messages, turns }: Conversation,
  count: number,
): Conversation & { readonly dropped: readonly string[] } {
  if (!(count >= 1)) return { messages, turns, dropped: [] };
  const places = messages.flatMap((message, at) => (isOfUser(message) ? [at] : []));
  const summary = messages.findLastIndex(isSummary);
  const later = places.filter((at) => at > summary);
  const isSummarized = summary >= 0 && count > later.length && count < turns;
  const from = isSummarized ? summary + 1 : count <= later.length ? later.at(-count) : places[0];
  if (from === undefined) return { messages, turns, dropped: [] };
  const kept = messages.slice(0, from);
  return {
    messages: isSummarized ? kept.map((one, at) => (at === summary ? withNote(one) : one)) : kept,
    turns: Math.max(0, turns - Math.min(count, turns)),
    dropped: messages.slice(from).filter(isOfUser).map(messageText),
  };
}

export function isSummary(message: Message): boolean {
  return message.role === 'user' && message.summary === true;
}

/** Whether the user began a turn with it: a summary, and what the user said during a turn, have the role of the user, too. */
export function isOfUser(message: Message): message is Extract<Message, { role: 'user' }> {
  return message.role === 'user' && !isSummary(message) && message.steering !== true;
}

function withNote(message: Message): Message {
  return message.role === 'user' ? { ...message, content: `${messageText(message)}\n\n${UNDONE}` } : message;
}
