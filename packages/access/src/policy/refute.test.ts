import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { engineAllows } from '../testing/engine-word.ts';
import { forbidPolicy, policyQuestion } from '../testing/policies.ts';
import { compilePolicySet } from './compiled.ts';
import { refuted } from './refute.ts';
import { scopeFits } from './scope.ts';

it('a policy that is told not to apply says nothing by the engine either, and most that say nothing are told', () => {
  let told = 0;
  let silent = 0;
  const property = fc.property(
    forbidPolicy,
    fc.array(policyQuestion, { minLength: 12, maxLength: 12 }),
    (text, asked) => {
      const [policy] = compilePolicySet(text).policies;
      if (policy === undefined) throw new Error('no policy');
      for (const question of asked) {
        const isTold = !scopeFits(policy.tree, question) || refuted(policy.tree.conditions, question);
        const isSilent = engineAllows(text, question);
        if (isTold && !isSilent) throw new Error(`the engine does not say nothing of ${JSON.stringify(question)}`);
        if (isTold) told += 1;
        if (isSilent) silent += 1;
      }
    },
  );
  fc.assert(property, { numRuns: 250, endOnFailure: true });
  expect(told).toBeGreaterThan(0.9 * silent);
});
