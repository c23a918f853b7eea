import { matrixGrants } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorize } from './authorize.ts';
import { type CompiledPolicySet, compilePolicySet } from './policy/compiled.ts';
import type { PolicyQuestion } from './policy/question.ts';
import { engineAllows } from './testing/engine-word.ts';
import { policyQuestion, policySet } from './testing/policies.ts';

/** Cases of the property test: 1,000,000 by `POLICY_CASES=1000000` (some minutes), a fast subset otherwise. */
const CASES = Number(process.env.POLICY_CASES ?? 6000);
const QUESTIONS = 12;
const SEED = Number(process.env.POLICY_SEED ?? 20_261_121);

describe(`authorize (seed ${SEED})`, () => {
  it(`never grants more than the matrix, and removes exactly what the engine forbids (${CASES} cases)`, () => {
    const counted = { granted: 0, refused: 0 };
    const questions = fc.array(policyQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS });
    const property = fc.property(policySet, questions, (text, asked) => {
      const set: CompiledPolicySet = compilePolicySet(text);
      for (const question of asked) {
        const { granted } = authorize(question, set);
        const matrix = matrixGrants(question.roles, question.permission);
        if (granted && !matrix) throw new Error(`granted past the matrix: ${JSON.stringify(question)}`);
        if (matrix && granted !== engineAllows(text, question)) {
          throw new Error(`granted ${granted}, the engine decides differently: ${JSON.stringify(question)}`);
        }
        counted[granted ? 'granted' : 'refused'] += 1;
      }
    });
    fc.assert(property, { seed: SEED, numRuns: Math.ceil(CASES / QUESTIONS), endOnFailure: true });
    expect(counted.granted).toBeGreaterThan(CASES / 100);
    expect(counted.refused).toBeGreaterThan(CASES / 100);
  }, 1_800_000);

  it('names the policy that refused, and distinguishes a missing role', () => {
    const question = fc.sample(policyQuestion, { seed: 1, numRuns: 1 })[0] as PolicyQuestion;
    const asked = { ...question, roles: ['utilisateur-standard'], permission: 'execution:lancer' } as PolicyQuestion;
    const on = { ...asked, resource: { type: 'Instance' } } as PolicyQuestion;
    const forbidsAll = compilePolicySet('@id("stop") forbid(principal, action, resource);');
    expect(authorize(on, null)).toEqual({ granted: true });
    expect(authorize(on, forbidsAll)).toEqual({ granted: false, reason: 'policy-forbids', detail: 'stop' });
    expect(authorize({ ...on, roles: [] }, forbidsAll)).toEqual({
      granted: false,
      reason: 'role-missing',
      detail: null,
    });
    const errs = compilePolicySet('forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };');
    expect(authorize(on, errs)).toMatchObject({ granted: false, reason: 'policy-error' });
  });
});
