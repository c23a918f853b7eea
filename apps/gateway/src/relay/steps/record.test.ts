import type { Decision } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import type { DecisionsPort } from '../../auth/ports.ts';
import { Recorded, record } from './record.ts';
import type { Accepted, Resolved } from './types.ts';

const accepted = {} as Accepted;
const resolved = {} as Resolved;
const decision = { id: 'the decision' } as Decision;

type Answer = (error: Error | null) => void;

/** Records a call in a log; `answer` is the log's reply, and `made` the result. */
function recording() {
  let answer: Answer = () => {};
  const made: unknown[] = [];
  const log: Pick<DecisionsPort, 'record'> = {
    record: (_decision, _deadline, _detections, recorded) => {
      answer = recorded;
    },
  };
  record(accepted, resolved, decision, log, 0, [], (outcome) => made.push(outcome));
  return { made, answer: (error: Error | null) => answer(error) };
}

describe('a recorded call (log-2, refusals-14)', () => {
  it('is made only once the log confirms that its approval is durable', () => {
    const { made, answer } = recording();
    expect(made).toEqual([]);
    answer(null);
    expect(made).toHaveLength(1);
    expect(made[0]).toBeInstanceOf(Recorded);
    expect(made[0]).toMatchObject({ decisionId: 'the decision' });
  });
  it('is not made where the log fails', () => {
    const { made, answer } = recording();
    answer(new Error('silent'));
    expect(made).toMatchObject([{ code: 'unrecorded' }]);
  });
  it('is made by nothing else', () => {
    const forged: unknown = Symbol('the decision is durable');
    expect(() => Reflect.construct(Recorded, [forged, accepted, resolved, 'the decision'])).toThrow(TypeError);
  });
});
