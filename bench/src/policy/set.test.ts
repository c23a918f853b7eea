import { authorize, checkPolicySet, compilePolicySet } from '@gateway/access';
import { describe, expect, it } from 'vitest';
import { TWENTY_POLICIES } from './set.ts';

const set = compilePolicySet(TWENTY_POLICIES.join('\n'));
const call = {
  session: null,
  method: 'POST',
  path: '/demo/v1/chat/completions',
  sourceAddress: '127.0.0.1',
  at: new Date(),
};
const request: Parameters<typeof authorize>[0] = {
  subject: 'demo',
  roles: ['utilisateur-standard'],
  permission: 'inference:appeler',
  resource: { type: 'Endpoint', name: 'demo', model: 'bench-model', provider: 'engine' },
  call,
};

describe('the measured policies', () => {
  it('may be installed, all twenty of them', () => {
    expect(TWENTY_POLICIES).toHaveLength(20);
    expect(checkPolicySet(TWENTY_POLICIES.join('\n'))).toMatchObject({ ok: true });
  });

  it('grant the call that is measured: a refused one costs less', () => {
    expect(authorize(request, set).granted).toBe(true);
  });

  it.each([
    ['another network', { ...request, call: { ...call, sourceAddress: '192.0.2.7' } }],
    ['a subject', { ...request, subject: 'suspended' }],
    ['a session', { ...request, call: { ...call, session: 'quarantined-7' } }],
    ['a path', { ...request, call: { ...call, path: '/demo/v1/files/7' } }],
    ['a model', { ...request, resource: { ...request.resource, model: 'withdrawn-model' } } as typeof request],
  ])('are in force: they refuse a call because of %s', (_, refused) => {
    expect(authorize(refused, set).granted).toBe(false);
  });

  it('have a name each, so that a refusal says which one it was', () => {
    const names = TWENTY_POLICIES.map((policy) => /^@id\("([^"]+)"\)/.exec(policy)?.[1]);
    expect(new Set(names).size).toBe(20);
    const decision = authorize({ ...request, subject: 'suspended' }, set);
    expect(decision).toMatchObject({ granted: false, reason: 'policy-forbids' });
    expect(names).toContain(decision.granted ? null : decision.detail?.split(', ')[0]);
  });

  it('grant nothing that the matrix does not: the subject without a role stays refused', () => {
    expect(authorize({ ...request, roles: [] }, set)).toMatchObject({ granted: false, reason: 'role-missing' });
  });
});
