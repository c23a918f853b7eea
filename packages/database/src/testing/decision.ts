import type { Decision } from '@gateway/contract';
import { v7 as uuid } from 'uuid';

/** An approval as the relay makes it, with changes. */
export function aDecision(change: Partial<Decision> = {}): Decision {
  return {
    id: uuid(),
    at: new Date().toISOString(),
    component: 'gateway',
    subject: 'caller',
    credential: 'key',
    keyId: uuid(),
    permission: 'inference:appeler',
    resource: 'endpoint:chat',
    session: null,
    outcome: 'granted',
    reason: 'role',
    status: 200,
    roles: ['utilisateur-standard'],
    policyRevision: null,
    detail: null,
    requestId: null,
    sourceAddress: '127.0.0.1',
    ...change,
  };
}
