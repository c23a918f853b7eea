import { MAXIMUM_SESSION } from './agent-act.ts';
import { type Refusal, refusal } from './refusals.ts';
import { characters, isStorable } from './text.ts';

/** One command of an agent session, as its caller requests it (commands-2). */
export interface Command {
  readonly session: string;
  /** The parent session, if the caller names one (workstation-10). */
  readonly parentSession: string | null;
  /** The program that runs: a name looked up on the path, or a path. */
  readonly interpreter: string;
  readonly arguments: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** `sansFluxDeSortie`: no `sortie` events. */
  readonly silent: boolean;
}

/** Bytes of one variable's name and value. The kernel takes 128 KiB, a sandbox passes both as arguments: longer values belong in a file. */
export const LONGEST_VARIABLE_BYTES = 65_536;

/** A text the operating system takes as a word: a NUL would end it early. */
const isWord = (value: unknown): value is string => typeof value === 'string' && isStorable(value);
const isName = (value: unknown): value is string => isWord(value) && value !== '';
/** UTF-16 code units of a session's name. Longer ones could not be revoked: the database could not keep them in its indexes. */
export const LONGEST_SESSION = 800;

/**
 * Whether a text can name a session. Every name allowed here can be revoked: blanks at the ends, control characters and direction
 * overrides included.
 */
export function isSessionName(text: unknown): text is string {
  return isName(text) && text.length <= LONGEST_SESSION;
}

function isRelative(session: unknown): session is string {
  return isName(session) && characters(session) <= MAXIMUM_SESSION;
}

/**
 * The command that a body requests, or the first refusal that applies (commands-2). Nothing is completed with empty values. An
 * invalid name of an environment variable (empty, or with `=`) is refused with the sentence for its value, since the list of
 * sentences is closed.
 */
export function parseCommand(body: unknown): { readonly command: Command } | { readonly refused: Refusal } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { refused: refusal('command-body') };
  const members: Readonly<Record<string, unknown>> = { ...body };
  const { session, parentSession = null } = members;
  if (!isSessionName(session)) return { refused: refusal('command-session') };
  if (parentSession !== null && !(isRelative(session) && isRelative(parentSession))) {
    return { refused: refusal('command-session') };
  }
  if (!isName(members['interpreteur'])) return { refused: refusal('command-interpreter') };
  const words = members['arguments'];
  if (!Array.isArray(words) || !words.every(isWord)) return { refused: refusal('command-arguments') };
  const given = members['variablesSupplementaires'];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { refused: refusal('command-variables') };

  const variables = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    if (!isName(key) || key.includes('=') || !isWord(value)) {
      return { refused: refusal('command-variable', { details: { key } }) };
    }
    if (Buffer.byteLength(key) + Buffer.byteLength(value) > LONGEST_VARIABLE_BYTES) {
      return {
        refused: refusal('command-variable-too-long', { details: { key, bytes: String(LONGEST_VARIABLE_BYTES) } }),
      };
    }
    variables.set(key, value);
  }
  return {
    command: {
      session,
      parentSession,
      interpreter: members['interpreteur'],
      arguments: words,
      variables,
      silent: members['sansFluxDeSortie'] === true,
    },
  };
}
