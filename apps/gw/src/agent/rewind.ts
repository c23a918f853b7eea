import { messageText } from './state.ts';
import type { Message, SessionState } from './types.ts';

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
