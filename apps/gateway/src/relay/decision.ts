import { type Decision, LONGEST_SESSION, type Refusal, statusOf } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import { newDecisionId } from '../decision-id.ts';
import { recordable } from '../secrets/recordable.ts';
import type { Accepted, Identified } from './stations.ts';
import { CALL } from './steps/authorize.ts';
import { credentialOf } from './steps/identify.ts';
import { subjectOf } from './steps/resolve.ts';

/** How far a call had come when its verdict fell. */
export interface Progress {
  readonly accepted: Accepted;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
}

/** Longest text taken from a request into the log; names of endpoints are shorter, identifiers of requests too. */
const LONGEST = 256;

/**
 * The entry of an approval or of a refusal (decisions §7). What was asked or answered is never in it.
 * @param detail what the entry says beyond its reason.
 */
export function decisionOf(
  progress: Progress,
  refused: Refusal | null,
  now: number,
  detail: string | null = refused?.details['detail'] ?? null,
): Decision {
  const { accepted, identified, facts } = progress;
  const { head } = accepted;
  return {
    id: newDecisionId(),
    at: new Date(now).toISOString(),
    component: 'gateway',
    subject: identified === null || facts === null ? null : subjectOf(identified, facts),
    credential: identified?.credential ?? credentialOf(head),
    keyId: facts?.account?.key?.id ?? null,
    permission: CALL,
    // A declared name was looked into when it was declared.
    resource: `endpoint:${facts?.endpoint?.name ?? recordable(accepted.segment, LONGEST)}`,
    // A longer one could not be kept in the index of the log, and an entry that cannot be kept is a way past the log.
    session: head.session === null ? null : recordable(head.session, LONGEST_SESSION),
    outcome: refused === null ? 'granted' : 'refused',
    reason: refused === null ? 'role' : refused.code,
    status: refused === null ? 200 : statusOf(refused),
    roles: facts?.roles ?? [],
    policyRevision: facts?.policyRevision ?? null,
    detail,
    requestId: head.requestId === null ? null : recordable(head.requestId, LONGEST),
    sourceAddress: accepted.sourceAddress,
  };
}
