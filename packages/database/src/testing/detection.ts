import type { Detection } from '@gateway/contract';
import { v7 as uuid } from 'uuid';

/** A finding in a request as the relay records it, with changes. */
export function aDetection(change: Partial<Detection> = {}): Detection {
  return {
    id: uuid(),
    at: new Date().toISOString(),
    decisionId: uuid(),
    place: 'request',
    kind: 'access-token',
    rule: 'github-token',
    confidence: 'high',
    response: 'mask',
    pointer: '/messages/0/content',
    start: 10,
    end: 50,
    length: 40,
    digest: 'ab'.repeat(32),
    occurrences: 1,
    ...change,
  };
}
