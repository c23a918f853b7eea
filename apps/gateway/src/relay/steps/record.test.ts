import type { Decision } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { Recorded, record } from './record.ts';
import type { Accepted, Resolved } from './types.ts';

const accepted = {} as Accepted;
const resolved = {} as Resolved;
const decision = { id: 'the decision' } as Decision;

/** Records a call in a log that answers as `appended` does. */
const recorded = (appended: Promise<unknown>) =>
  record(accepted, resolved, decision, { append: () => appended }, 0, []);

describe('a recorded call (log-2, refusals-14)', () => {
  it('is made only once the log confirms that its approval is durable', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const made = recorded(promise);
    const pending = Symbol('pending');
    expect(await Promise.race([made, new Promise((later) => setImmediate(later, pending))])).toBe(pending);
    resolve();
    expect(await made).toBeInstanceOf(Recorded);
    expect(await made).toMatchObject({ decisionId: 'the decision' });
  });
  it('is not made where the log fails', async () => {
    expect(await recorded(Promise.reject(new Error('silent')))).toMatchObject({ code: 'unrecorded' });
  });
  it('is made by nothing else', () => {
    const forged: unknown = Symbol('the decision is durable');
    expect(() => Reflect.construct(Recorded, [forged, accepted, resolved, 'the decision'])).toThrow(TypeError);
  });
});
