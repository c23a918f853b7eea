import type { Decision, Refusal } from '@gateway/contract';
import { decisionFor, LONGEST_TEXT } from '../store/log/entry.ts';
import { recordable } from '../store/log/recordable.ts';
import { type Asked, LAUNCH, type Standing } from './permit.ts';

/** The subject of a decision: the program of a command, or the command to interrupt. */
export interface Subject {
  readonly name: string | null;
  readonly session: string | null;
}

/** The entry of a decision on an agent command: never its words. */
export function commandDecision(
  { head, sourceAddress }: Asked,
  { identified, facts }: Standing,
  { name, session }: Subject,
  refused: Refusal | null,
  now: number,
): Decision {
  const resource = name === null ? 'command' : `command:${recordable(name, LONGEST_TEXT)}`;
  const judged = { head, sourceAddress, identified, facts, permission: LAUNCH, resource, session };
  return decisionFor(judged, refused, now);
}
