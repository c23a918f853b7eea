import { randomFillSync } from 'node:crypto';
import {
  type Approval,
  type Decision,
  LONGEST_SESSION,
  type Permission,
  type Refusal,
  statusOf,
} from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import { maskText } from '@gateway/secrets';
import { v7 } from 'uuid';
import { credentialOf, type Identified } from '../auth/identify.ts';
import { subjectOf } from '../auth/subject.ts';
import type { Head } from '../http/head.ts';

/** Bytes of one identifier, and the number drawn in one call: requesting random bytes costs far more than using them. */
const SIZE = 16;
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SIZE;
  return pool.subarray(used - SIZE, used);
}

/** A new decision's identifier: a UUID of version 7, of this instant. */
export function newDecisionId(): string {
  return v7({ random: random() });
}

/** Longest text from a request in the log; endpoint names and request identifiers are shorter. */
export const LONGEST_TEXT = 256;

/** The same for a caller without a proof, who could otherwise fill the log (log-13). */
const LONGEST_ANONYMOUS = 64;

/** The request of a decision: the facts known by then, and its subject. */
export interface Judged {
  readonly head: Head;
  readonly sourceAddress: string | null;
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
  readonly permission: Permission;
  readonly resource: string;
  /** As its caller named it. */
  readonly session: string | null;
  /** The reason of an approval. */
  readonly granted: Approval;
}

/**
 * The entry of an approval or of a refusal (log-3). It never contains the request's or the answer's body.
 * @param now milliseconds since the epoch.
 * @param detail of the entry, beyond its reason.
 */
export function decisionFor(
  { head, sourceAddress, identified, facts, permission, resource, session, granted }: Judged,
  refused: Refusal | null,
  now: number,
  detail: string | null = refused?.details['detail'] ?? null,
): Decision {
  const subject = identified === null || facts === null ? null : subjectOf(identified, facts);
  const longest = (known: number): number => (subject === null && refused !== null ? LONGEST_ANONYMOUS : known);
  return {
    id: newDecisionId(),
    at: new Date(now).toISOString(),
    component: 'gateway',
    subject,
    credential: identified?.credential ?? credentialOf(head),
    keyId: facts?.account?.key?.id ?? null,
    permission,
    resource,
    // A longer one would not fit into the log's index, and a request without an entry would bypass the log.
    session: session === null ? null : recordable(session, longest(LONGEST_SESSION)),
    outcome: refused === null ? 'granted' : 'refused',
    reason: refused === null ? granted : refused.code,
    status: refused === null ? 200 : statusOf(refused),
    roles: facts?.roles ?? [],
    policyRevision: facts?.policy?.number ?? null,
    detail,
    requestId: head.requestId === null ? null : recordable(head.requestId, longest(LONGEST_TEXT)),
    sourceAddress,
  };
}

/** Shorter texts contain no secret; identifiers of requests and sessions are mostly UUIDs, which are no secrets either. */
const SHORTEST = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A request's text in the form for a record: possible secrets masked (relay-36), then cut.
 * @param longest UTF-16 code units, which bound the bytes of an index entry; a surrogate pair is not split.
 */
export function recordable(text: string, longest: number): string {
  const kept = text.length < SHORTEST || UUID.test(text) ? text : maskText(text);
  return kept.length <= longest ? kept : kept.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
