import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineAllows } from '../testing/engine-word.ts';
import { forbidPolicy, policyRequest } from '../testing/policies.ts';
import { compilePolicySet } from './compiled.ts';
import { scopeFits } from './evaluate.ts';
import { refutes } from './refute.ts';
import type { PolicyRequest } from './request.ts';

it('a refuted policy is silent in the engine, too, and most silent policies are refuted', () => {
  let refutations = 0;
  let silent = 0;
  const property = fc.property(
    forbidPolicy,
    fc.array(policyRequest, { minLength: 12, maxLength: 12 }),
    (text, asked) => {
      const [policy] = compilePolicySet(text);
      if (policy === undefined) throw new Error('no policy');
      for (const request of asked) {
        const isRefuted = !scopeFits(policy.tree, request) || refutes(policy.tree.conditions, request);
        const isSilent = engineAllows(text, request);
        if (isRefuted && !isSilent) throw new Error(`the engine does not say nothing of ${JSON.stringify(request)}`);
        if (isRefuted) refutations += 1;
        if (isSilent) silent += 1;
      }
    },
  );
  fc.assert(property, { numRuns: 250, endOnFailure: true });
  expect(refutations).toBeGreaterThan(0.9 * silent);
});

describe('the edge of a time is the engine’s, to the millisecond', () => {
  const AT = Date.parse('2026-07-01T12:34:56.789Z');
  const asked = (at: number): PolicyRequest => ({
    subject: 'alice',
    roles: ['utilisateur-standard'],
    permission: 'inference:appeler',
    resource: { type: 'Endpoint', name: 'chat', model: 'qwen3', provider: 'local' },
    call: { session: null, method: 'GET', path: '/', sourceAddress: null, at: new Date(at) },
  });
  it.each(['<', '<=', '>', '>=', '==', '!='])('%s', (is) => {
    for (const [time, edge] of [
      ['context.time', 'datetime("2026-07-01T12:34:56.789Z")'],
      ['context.time.toTime()', 'duration("12h34m56s789ms")'],
    ])
      for (const word of ['when', 'unless'])
        for (const difference of [-1, 0, 1]) {
          const text = `forbid(principal, action, resource) ${word} { ${time} ${is} ${edge} };`;
          const request = asked(AT + difference);
          const areRefuted = compilePolicySet(text).every(({ tree }) => refutes(tree.conditions, request));
          expect([text, difference, areRefuted]).toEqual([text, difference, engineAllows(text, request)]);
        }
  });
});
