import type { Approval, Decision, Refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import { type Identified, proofOf } from '../auth/identify.ts';
import { decisionFor, LONGEST_TEXT } from '../store/log/entry.ts';
import { recordable } from '../store/log/recordable.ts';
import { CALL } from './steps/authorize.ts';
import type { Accepted } from './steps/types.ts';

/** How far a call had progressed at its decision. */
export interface Progress {
  readonly accepted: Accepted;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
  /** The reason of an approval. */
  readonly granted: Approval;
}

/** The entry of a decision on a call. @param detail of the entry, beyond its reason. */
export function decisionOf(progress: Progress, refused: Refusal | null, now: number, detail?: string | null): Decision {
  const { accepted, identified, facts, granted } = progress;
  const { head, segment, sourceAddress } = accepted;
  // A declared name was looked into when it was declared.
  const resource = `endpoint:${facts?.endpoint?.name ?? recordable(segment, LONGEST_TEXT)}`;
  const judged = { head, sourceAddress, identified, facts, permission: CALL, resource, session: head.session, granted };
  return decisionFor(judged, refused, now, detail);
}

const KEY = /gwk_[0-9a-f]{48}/;
const SHORTEST_PROOF = 16;

/**
 * The detail of a call whose address contains an account key or the caller's token, perhaps percent-encoded. The engine gets the
 * address as written (relay-3). Null for any other call.
 */
export function keyInAddress({ head, rest }: Accepted): string | null {
  if (rest.indexOf('?') < 0) return null;
  const decoded = rest.includes('%') ? rest.replaceAll(/%([0-7][0-9a-f])/gi, decodeAscii) : rest;
  const proof = proofOf(head)?.text ?? '';
  const isShown = KEY.test(decoded) || (proof.length >= SHORTEST_PROOF && decoded.includes(proof));
  return isShown ? 'address: a key or token of the caller is in the query, and left for the engine as written' : null;
}

const decodeAscii = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));
