import { newIdentifier } from './identifier.ts';
import type { Message, SessionState, Usage } from './types.ts';

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
