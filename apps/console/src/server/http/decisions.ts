import { type Credential, type Decision, type Permission, statusOf } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { maskText } from '@gateway/secrets';
import { v7 as uuid } from 'uuid';
import type { RouteDecision } from './authorize.ts';
import type { Subject } from './caller.ts';
import type { Right } from './route.ts';
import type { Services } from './services.ts';

/** A decision of this console and its resource. */
export interface Judged {
  readonly right: Right;
  readonly project: string | undefined;
  /** The subject of the proof; null without one. */
  readonly subject: Subject | null;
  readonly credential: Credential;
  readonly decided: RouteDecision;
  readonly request: Request;
  readonly sourceAddress: string | null;
  readonly at: Date;
}

/** A request's own identifier as the log keeps it: one bounded line, or nothing. */
function requestIdOf(request: Request): string | null {
  const id = request.headers.get('x-request-id')?.trim() ?? '';
  return id === '' ? null : maskText(id).slice(0, 200);
}

/** A route for the shared pair only has no separate permission: its refusal is recorded on the instance's surface. */
const permissionOf = (right: Right): Permission =>
  typeof right === 'string' ? 'console:administrer-l-instance' : right.permission;

function decisionOf(judged: Judged): Decision {
  const { right, project, subject, credential, decided, request, sourceAddress, at } = judged;
  return {
    id: uuid(),
    at: at.toISOString(),
    component: 'console',
    subject: subject?.subject ?? null,
    credential,
    keyId: subject?.keyId ?? null,
    permission: permissionOf(right),
    resource: project === undefined ? 'instance' : `project:${maskText(project)}`,
    session: null,
    outcome: decided.granted ? 'granted' : 'refused',
    reason: decided.granted ? 'role' : decided.reason,
    status: decided.granted ? 200 : statusOf(decided.refused),
    roles: [...new Set(subject?.roles.map(({ role }) => role) ?? [])],
    policyRevision: subject?.policy?.number ?? null,
    detail: decided.granted ? null : decided.detail,
    requestId: requestIdOf(request),
    sourceAddress,
  };
}

/** Why a proof is refused that identifies no subject: a guesser can produce any number of them. */
const GUESSES: ReadonlySet<string> = new Set(['key-unknown', 'sign-in-throttled']);

/**
 * Records a decision in the decision log (log-1): an approval before anything is done, a refusal at the
 * latest while this process lives.
 * @returns whether it is recorded, or will be: otherwise the request is refused
 */
export async function isRecorded(
  { decisions, guesses }: Pick<Services, 'decisions' | 'guesses'>,
  judged: Judged,
): Promise<boolean> {
  const decision = decisionOf(judged);
  if (GUESSES.has(decision.reason)) {
    guesses.add(decision);
    return true;
  }
  if (!judged.decided.granted) return decisions.appendLater(decision);
  try {
    await decisions.append(decision);
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false;
    throw error;
  }
}
