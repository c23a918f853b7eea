import { isAccountKey, isWeakAccountKey, matrixGrants } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineAllows } from '../testing/engine-word.ts';
import { policyRequest, policySet } from '../testing/policies.ts';
import { authorize, digestOfAccountKey, type Evaluation, evaluatePolicies, newAccountKey } from './authorize.ts';
import { type CompiledPolicySet, compilePolicySet, PolicySetUnusable } from './check.ts';
import { askEngine, PolicyEngineFault } from './engine.ts';
import type { PolicyRequest } from './request.ts';

const REQUEST: PolicyRequest = {
  subject: 'alice',
  roles: ['utilisateur-standard'],
  permission: 'inference:appeler',
  resource: { type: 'Endpoint', name: 'demo', model: 'qwen3', provider: 'local' },
  call: {
    session: 's1',
    method: 'POST',
    path: '/demo/v1/chat/completions',
    sourceAddress: '10.1.2.3',
    at: new Date('2026-05-04T03:02:01.000Z'),
  },
};

function verdict(text: string, request: PolicyRequest = REQUEST): Evaluation {
  return evaluatePolicies(compilePolicySet(text), request);
}
function calling(call: Partial<PolicyRequest['call']>): PolicyRequest {
  return { ...REQUEST, call: { ...REQUEST.call, ...call } };
}

describe('a policy in force', () => {
  it.each([
    ['everybody', 'forbid(principal, action, resource);'],
    ['the subject', 'forbid(principal == Subject::"alice", action, resource);'],
    ['the subject by type', 'forbid(principal is Subject, action, resource);'],
    ['a subject in a role, by type', 'forbid(principal is Subject in Role::"utilisateur-standard", action, resource);'],
    ['its role', 'forbid(principal in Role::"utilisateur-standard", action, resource);'],
    [
      'its role, in a condition',
      'forbid(principal, action, resource) when { principal in Role::"utilisateur-standard" };',
    ],
    ['the action', 'forbid(principal, action == Action::"inference:appeler", resource);'],
    [
      'one of several actions',
      'forbid(principal, action in [Action::"journal:lire", Action::"inference:appeler"], resource);',
    ],
    ['the endpoint', 'forbid(principal, action, resource == Endpoint::"demo");'],
    ['the model', 'forbid(principal, action, resource is Endpoint) when { resource.model == "qwen3" };'],
    [
      'the provider',
      'forbid(principal, action, resource) when { resource is Endpoint && resource.provider like "lo*" };',
    ],
    ['the session', 'forbid(principal, action, resource) when { context has session && context.session == "s1" };'],
    ['the method', 'forbid(principal, action, resource) when { context.method == "POST" };'],
    ['the path', 'forbid(principal, action, resource) when { context.path like "*/chat/*" };'],
    ['the network', 'forbid(principal, action, resource) when { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };'],
    ['the hour', 'forbid(principal, action, resource) when { context.time.toTime() < duration("4h") };'],
    ['the date', 'forbid(principal, action, resource) when { context.time > datetime("2026-05-04") };'],
    ['the context as a whole', 'forbid(principal, action, resource) when { [context].contains(context) };'],
  ])('forbids by %s', (_, text) => expect(verdict(text)).toEqual({ kind: 'forbids', policies: ['policy 1'] }));

  it.each([
    ['another subject', 'forbid(principal == Subject::"bob", action, resource);'],
    ['another role', 'forbid(principal in Role::"auditeur", action, resource);'],
    ['another action', 'forbid(principal, action == Action::"journal:lire", resource);'],
    ['another endpoint', 'forbid(principal, action, resource == Endpoint::"Demo");'],
    ['another kind of resource', 'forbid(principal, action, resource is Project);'],
    ['another model', 'forbid(principal, action, resource is Endpoint) when { resource.model == "other" };'],
    [
      'another network',
      'forbid(principal, action, resource) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };',
    ],
    ['nothing', ''],
  ])('is silent about %s', (_, text) => expect(verdict(text)).toEqual({ kind: 'silent' }));

  it('names every policy that forbids, and no other', () => {
    const text = `@id("b") forbid(principal, action, resource);
      @id("a") forbid(principal == Subject::"alice", action, resource);
      @id("c") forbid(principal == Subject::"bob", action, resource);
      @id("d") forbid(principal, action, resource) when { context.method == "GET" };`;
    expect(verdict(text)).toEqual({ kind: 'forbids', policies: ['a', 'b'] });
  });
  it('distinguishes a call without a session from one with an empty name', () => {
    const text = 'forbid(principal, action, resource) unless { context has session };';
    expect(verdict(text).kind).toBe('silent');
    expect(verdict(text, calling({ session: '' })).kind).toBe('silent');
    expect(verdict(text, calling({ session: null })).kind).toBe('forbids');
  });
  it.each(['::ffff:10.9.9.9', 'fe80::1%eth0', '2001:db8::7'])('takes the address %s', (sourceAddress) => {
    const networks = ['10.0.0.0/8', 'fe80::/10', '2001:db8::/32'];
    const text = networks.map((net) => `context.sourceAddress.isInRange(ip("${net}"))`).join(' || ');
    const request = calling({ sourceAddress });
    expect(verdict(`forbid(principal, action, resource) when { ${text} };`, request).kind).toBe('forbids');
  });
  it('evaluates subjects of every spelling', () => {
    for (const subject of ['é"\\', '', '0', '__proto__', 'a\nb', '𝄞', '*']) {
      const named = `forbid(principal == Subject::${JSON.stringify(subject)}, action, resource);`;
      expect(verdict(named, { ...REQUEST, subject }).kind).toBe('forbids');
      expect(verdict(named, { ...REQUEST, subject: `${subject}x` }).kind).toBe('silent');
    }
  });
});

describe('a policy that cannot be evaluated refuses', () => {
  it('an overflow', () => {
    const text = '@id("sum") forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };';
    expect(verdict(text)).toMatchObject({ kind: 'error', message: expect.stringMatching(/^sum: .*overflow/) });
  });
  it('an unknown address', () => {
    const text = 'forbid(principal, action, resource) when { context.sourceAddress.isLoopback() };';
    expect(verdict(text, calling({ sourceAddress: null }))).toMatchObject({ kind: 'error' });
    expect(verdict(text, calling({ sourceAddress: 'somewhere' }))).toMatchObject({ kind: 'error' });
  });
  it.each([
    'when { 9223372036854775807 + 1 > 0 && context.method == "GET" }',
    'when { 9223372036854775807 + 1 > 0 } when { context.method == "GET" }',
    'unless { 9223372036854775807 + 1 > 0 } unless { context.method == "POST" }',
    'when { !(9223372036854775807 + 1 > 0 || context.method == "POST") }',
    'when { (9223372036854775807 + 1 > 0) == (context.method == "GET") }',
  ])('an error before a condition that fails: %s', (condition) => {
    expect(verdict(`forbid(principal, action, resource) ${condition};`)).toMatchObject({ kind: 'error' });
  });
  it.each([
    'when { context.method == "GET" && 9223372036854775807 + 1 > 0 }',
    'when { context.method == "GET" } when { 9223372036854775807 + 1 > 0 }',
    'unless { context.method == "POST" || 9223372036854775807 + 1 > 0 }',
  ])('no error after a condition that failed: %s', (condition) => {
    expect(verdict(`forbid(principal, action, resource) ${condition};`)).toEqual({ kind: 'silent' });
  });
  it('an error beside a policy that forbids: the one that forbids is named', () => {
    const text = `@id("no") forbid(principal, action, resource);
      @id("sum") forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };`;
    expect(verdict(text)).toEqual({ kind: 'forbids', policies: ['no'] });
  });
  it('an engine that broke down answers the next request again', () => {
    const breaks = () =>
      askEngine(() => {
        throw new Error('memory access out of bounds');
      });
    const set = compilePolicySet('forbid(principal, action, resource);');
    expect(evaluatePolicies(set, REQUEST).kind).toBe('forbids');
    expect(breaks).toThrow(PolicyEngineFault);
    expect(evaluatePolicies(set, REQUEST).kind).toBe('forbids');
  });
  it('a text that may not be in force', () => {
    expect(() => compilePolicySet('permit(principal, action, resource);')).toThrow(PolicySetUnusable);
    expect(() => compilePolicySet('forbid(')).toThrow(/^line 1, column 8: /);
  });
});

it('many selections of one set, more than the engine caches, are each evaluated correctly', () => {
  const subjects = Array.from({ length: 200 }, (_, index) => `s${index}`);
  const set = compilePolicySet(
    subjects.map((name) => `@id("${name}") forbid(principal == Subject::"${name}", action, resource);`).join('\n'),
  );
  for (const round of [1, 2]) {
    for (const subject of subjects) {
      expect([round, evaluatePolicies(set, { ...REQUEST, subject })]).toEqual([
        round,
        { kind: 'forbids', policies: [subject] },
      ]);
    }
  }
});

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
