import type { Message } from './types.ts';

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
      ? { ...message, content: shorten(message.content, most) }
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

function shorten(text: string, most: number): string {
  const note = `\n[… ${text.length - most} characters were left out: the context of the model is full. Ask for a smaller part.]\n`;
  const half = Math.floor((most - note.length) / 2);
  return `${text.slice(0, half)}${note}${text.slice(-half)}`;
}
