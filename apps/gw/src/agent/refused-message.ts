import type { Message } from './types.ts';

/** Statuses with which engines refuse what a message holds. */
const REFUSED = new Set([400, 413, 422]);

export function isRefusedMessage(status: number | null): boolean {
  return status !== null && REFUSED.has(status);
}

/**
 * The conversation after the engine refused its newest messages: a note in place of their pictures or, without any, of
 * their text. Without it, every later call would be refused.
 * @returns `pictures` tells which of the two was replaced; `messages` is what was given where there is nothing to replace
 */
export function withoutRefused(
  messages: readonly Message[],
  status: number | null,
): { readonly messages: readonly Message[]; readonly pictures: boolean } {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const [before, newest] = [messages.slice(0, from), messages.slice(from)];
  const pictures = newest.some(hasPicture);
  // Not its sentence: it may repeat what it refused.
  const note = pictures
    ? `[A picture was here. The engine refused it (${status}), so it was removed.]`
    : `[The engine refused what was here (${status}), so it was left out.]`;
  const replaced = newest.map((message) => (pictures ? withoutPictures(message, note) : withNote(message, note)));
  return { messages: replaced.every((one, at) => one === newest[at]) ? messages : [...before, ...replaced], pictures };
}

export function hasPicture(message: Message): boolean {
  if (message.role === 'tool') return (message.images ?? []).length > 0;
  return typeof message.content !== 'string' && message.content.some(({ type }) => type === 'image');
}

export function withoutPictures(message: Message, note: string): Message {
  if (!hasPicture(message)) return message;
  if (message.role === 'tool') {
    const { images: _, ...rest } = message;
    return { ...rest, content: `${message.content}\n${note}` };
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  return {
    ...message,
    content: message.content.map((part) => (part.type === 'image' ? { type: 'text' as const, text: note } : part)),
  };
}

function withNote(message: Message, note: string): Message {
  if (message.role === 'tool') return { ...message, content: note };
  return message.role === 'user' ? { ...message, content: note } : message;
}
