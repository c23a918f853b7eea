import type { Decision, Refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import type { Identified } from '../auth/identify.ts';
import { decisionFor, LONGEST_TEXT } from '../store/log/entry.ts';
import { recordable } from '../store/log/recordable.ts';
import { CALL } from './steps/authorize.ts';
import type { Accepted } from './steps/types.ts';

/** How far a call had progressed at its decision. */
export interface Progress {
  readonly accepted: Accepted;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
}

/** The entry of a decision on a call. @param detail of the entry, beyond its reason. */
export function decisionOf(progress: Progress, refused: Refusal | null, now: number, detail?: string | null): Decision {
  const { accepted, identified, facts } = progress;
  const { head, segment, sourceAddress } = accepted;
  // A declared name was looked into when it was declared.
  const resource = `endpoint:${facts?.endpoint?.name ?? recordable(segment, LONGEST_TEXT)}`;
  const judged = { head, sourceAddress, identified, facts, permission: CALL, resource, session: head.session };
  return decisionFor(judged, refused, now, detail);
}
