import { isAccountKey, isWeakAccountKey, matrixGrants } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorize, digestOfAccountKey, newAccountKey } from './authorize.ts';
import { type CompiledPolicySet, compilePolicySet } from './policy/check.ts';
import type { PolicyRequest } from './policy/request.ts';
import { engineAllows } from './testing/engine-word.ts';
import { policyRequest, policySet } from './testing/policies.ts';

/** Cases of the property test: 1,000,000 by `POLICY_CASES=1000000` (some minutes), a fast subset otherwise. */
const CASES = Number(process.env.POLICY_CASES ?? 6000);
const REQUESTS = 12;
const SEED = Number(process.env.POLICY_SEED ?? 20_261_121);

describe(`authorize (seed ${SEED})`, () => {
  it(`never grants more than the matrix, and removes exactly what the engine forbids (${CASES} cases)`, () => {
    const counted = { granted: 0, refused: 0 };
    const requests = fc.array(policyRequest, { minLength: REQUESTS, maxLength: REQUESTS });
    const property = fc.property(policySet, requests, (text, asked) => {
      const set: CompiledPolicySet = compilePolicySet(text);
      for (const request of asked) {
        const { granted } = authorize(request, set);
        const matrix = matrixGrants(request.roles, request.permission);
        if (granted && !matrix) throw new Error(`granted past the matrix: ${JSON.stringify(request)}`);
        if (matrix && granted !== engineAllows(text, request)) {
          throw new Error(`granted ${granted}, the engine decides differently: ${JSON.stringify(request)}`);
        }
        counted[granted ? 'granted' : 'refused'] += 1;
      }
    });
    fc.assert(property, { seed: SEED, numRuns: Math.ceil(CASES / REQUESTS), endOnFailure: true });
    expect(counted.granted).toBeGreaterThan(CASES / 100);
    expect(counted.refused).toBeGreaterThan(CASES / 100);
  }, 1_800_000);

  it('names the policy that refused, and distinguishes a missing role', () => {
    const request = fc.sample(policyRequest, { seed: 1, numRuns: 1 })[0] as PolicyRequest;
    const asked = { ...request, roles: ['utilisateur-standard'], permission: 'execution:lancer' } as PolicyRequest;
    const on = { ...asked, resource: { type: 'Instance' } } as PolicyRequest;
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

describe('a new account key', () => {
  it('has the published form and is not weak', () => {
    const { key, lastFour } = newAccountKey();
    expect(isAccountKey(key)).toBe(true);
    expect(isWeakAccountKey(key)).toBe(false);
    expect(key.endsWith(lastFour)).toBe(true);
    expect(lastFour).toHaveLength(4);
  });
  it('is another one every time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newAccountKey().key)).size).toBe(100);
  });
  // roles-2
  it('is identified by its SHA-256 digest', () => {
    const { key, digest } = newAccountKey();
    expect(digestOfAccountKey(key)).toEqual(digest);
    // printf gwk_ | sha256sum
    expect(digestOfAccountKey('gwk_').toString('hex')).toBe(
      '06785907118b34e1f49fea0936cd345a781757ff4eda33cb1dcb249f0c1a20a1',
    );
    expect(digest).toHaveLength(32);
  });
});
