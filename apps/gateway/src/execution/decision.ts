import { type Decision, LONGEST_SESSION, type Refusal, statusOf } from '@gateway/contract';
import { newDecisionId } from '../decision-id.ts';
import { credentialOf } from '../relay/steps/identify.ts';
import { subjectOf } from '../relay/steps/resolve.ts';
import { recordable } from '../secrets/recordable.ts';
import { type Asked, LAUNCH, type Standing } from './permit.ts';

/** Longest text taken from a request into the log. */
const LONGEST = 256;

/** What a verdict was about: the program of a command, or the command that was to be interrupted. */
export interface Subject {
  readonly name: string | null;
  readonly session: string | null;
}

/** The entry of a verdict on an agent command (decisions §7): never its words. */
export function commandDecision(
  { head, sourceAddress }: Asked,
  { identified, facts }: Standing,
  { name, session }: Subject,
  refused: Refusal | null,
  now: number,
): Decision {
  return {
    id: newDecisionId(),
    at: new Date(now).toISOString(),
    component: 'gateway',
    subject: identified === null || facts === null ? null : subjectOf(identified, facts),
    credential: identified?.credential ?? credentialOf(head),
    keyId: facts?.account?.key?.id ?? null,
    permission: LAUNCH,
    resource: name === null ? 'command' : `command:${recordable(name, LONGEST)}`,
    session: session === null ? null : recordable(session, LONGEST_SESSION),
    outcome: refused === null ? 'granted' : 'refused',
    reason: refused === null ? 'role' : refused.code,
    status: refused === null ? 200 : statusOf(refused),
    roles: facts?.roles ?? [],
    policyRevision: facts?.policyRevision ?? null,
    detail: refused?.details['detail'] ?? null,
    requestId: head.requestId === null ? null : recordable(head.requestId, LONGEST),
    sourceAddress,
  };
}
