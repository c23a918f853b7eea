import type { PlacedFault } from './text-editor.tsx';

/** Why a text is no JSON; null where it is. */
function messageOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is no JSON';
  }
}

/** Browsers name no position of an unexpected token: it ends the shortest beginning of the text that has one. */
function endOfUnexpected(text: string): number {
  let [sound, faulty] = [0, text.length];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (messageOf(text.slice(0, middle))?.startsWith('Unexpected token')) faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

/** Where JSON breaks off, as line and column. */
export function jsonFault(text: string): readonly PlacedFault[] {
  const message = messageOf(text);
  if (message === null) return [];
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return [{ line: Number(line), column: Number(column), message }];
  const position = message.startsWith('Unexpected token') ? endOfUnexpected(text) : text.length;
  const before = text.slice(0, position).split('\n');
  return [{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }];
}
