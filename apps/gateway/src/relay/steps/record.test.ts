import type { Decision } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import type { DecisionsPort } from '../../auth/ports.ts';
import { Recorded, record } from './record.ts';
import type { Accepted, Resolved } from './types.ts';

const accepted = {} as Accepted;
const resolved = {} as Resolved;
const decision = { id: 'the decision' } as Decision;

/** Records a call in a log that answers so. */
const recordedBy = (append: DecisionsPort['append']) =>
  record(accepted, resolved, decision, { append, appendLater: () => true }, 0, []);

describe('a recorded call (log-2, refusals-14)', () => {
  it('is made only once the log says that its approval is durable', async () => {
    const durable = Promise.withResolvers<void>();
    const recording = recordedBy(() => durable.promise);
    const later = new Promise((resolve) => setImmediate(() => resolve('not yet')));
    expect(await Promise.race([recording, later])).toBe('not yet');
    durable.resolve();
    const made = await recording;
    expect(made).toBeInstanceOf(Recorded);
    expect(made).toMatchObject({ decisionId: 'the decision' });
  });
  it('is none where the log fails', async () => {
    expect(await recordedBy(() => Promise.reject(new Error('silent')))).toMatchObject({ code: 'unrecorded' });
  });
  it('is made by nothing else', () => {
    const forged: unknown = Symbol('the decision is durable');
    expect(() => Reflect.construct(Recorded, [forged, accepted, resolved, 'the decision'])).toThrow(TypeError);
  });
});
