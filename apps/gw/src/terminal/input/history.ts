/** Earlier messages, and which of them the arrows have brought back. */
export interface History {
  /** The oldest first. */
  readonly messages: readonly string[];
  /** Index of the message that is shown; `messages.length` is the one that is being written. */
  readonly at: number;
  /** What was being written when the arrows began. */
  readonly draft: string;
}

const MOST = 500;

export function historyOf(messages: readonly string[]): History {
  const kept = messages.slice(-MOST);
  return { messages: kept, at: kept.length, draft: '' };
}

/** A message that was sent; consecutive duplicates are stored once. */
export function remember({ messages }: History, message: string): History {
  return historyOf(messages.at(-1) === message ? messages : [...messages, message]);
}

/** The message before or behind the one that is shown; null where there is none. */
export function recall(history: History, direction: -1 | 1, current: string): [History, string] | null {
  const { messages, at } = history;
  const draft = at === messages.length ? current : history.draft;
  const next = at + direction;
  if (next < 0 || next > messages.length) return null;
  return [{ ...history, at: next, draft }, messages[next] ?? draft];
}

/** The latest message that holds the text, without regard to case, after `skipped` others; null where there is none. */
export function searchBack({ messages }: History, query: string, skipped: number): string | null {
  if (query === '') return null;
  const wanted = query.toLowerCase();
  const found = messages.filter((each) => each.toLowerCase().includes(wanted));
  return found.at(-1 - skipped) ?? null;
}
