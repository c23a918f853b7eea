import type { PolicyRequest } from '@gateway/access';
import { DatabaseUnavailable } from '@gateway/database';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Authorizer, createAuthorizer, createPolicies } from './authorizer.ts';

const REQUEST: PolicyRequest = {
  subject: 'alice',
  roles: ['utilisateur-standard'],
  permission: 'inference:appeler',
  resource: { type: 'Endpoint', name: 'chat', model: 'm', provider: 'p' },
  call: { session: null, method: 'POST', path: '/chat', sourceAddress: '10.0.0.1', at: new Date(0) },
};

let texts: Map<number, string>;
let reads: number[];
let authorizer: Authorizer;

beforeEach(() => {
  reads = [];
  texts = new Map([
    [1, 'forbid(principal, action, resource);'],
    [2, 'forbid(principal == Subject::"bob", action, resource);'],
    [3, 'permit(principal, action, resource);'],
  ]);
  authorizer = createAuthorizer(
    createPolicies(async ({ number }) => {
      reads.push(number);
      const text = texts.get(number);
      if (text === undefined) throw new DatabaseUnavailable('down');
      return text;
    }),
  );
});
const revision = (number: number, installedAt = '0.000001') => ({ number, installedAt });
async function verdict(number: number | null, change: Partial<PolicyRequest> = {}): Promise<string> {
  const inForce = number === null ? null : revision(number);
  return (await authorizer({ ...REQUEST, ...change }, inForce, 0))?.code ?? 'granted';
}

describe('the policy in force', () => {
  it('is not read where none is in force, or where the matrix already refuses', async () => {
    expect(await verdict(null)).toBe('granted');
    expect(await verdict(1, { roles: [] })).toBe('role-missing');
    expect(reads).toEqual([]);
  });
  // roles-18
  it('is read and compiled once, and evaluated every time', async () => {
    expect(await Promise.all([verdict(1), verdict(1), verdict(1)])).toEqual(Array(3).fill('policy-forbids'));
    expect(await verdict(2)).toBe('granted');
    expect(await verdict(2, { subject: 'bob' })).toBe('policy-forbids');
    expect(reads).toEqual([1, 2]);
  });
  it('changes with the revision of the call, to a newer one and back', async () => {
    expect([await verdict(1), await verdict(2), await verdict(1)]).toEqual([
      'policy-forbids',
      'granted',
      'policy-forbids',
    ]);
  });
  it('that cannot be read leaves the call undecided, and is read again', async () => {
    expect(await verdict(9)).toBe('undecided');
    texts.set(9, '');
    expect(await verdict(9)).toBe('granted');
  });
  it('that may not be in force leaves the call undecided, and the log says why', async () => {
    expect(await authorizer(REQUEST, revision(3), 0)).toMatchObject({
      code: 'undecided',
      details: { detail: expect.stringMatching(/policy 3: .*line 1, column 1: policy 1 permits/) },
    });
  });
  it('is read again where another one has its number, as in a restored database', async () => {
    expect(await verdict(1)).toBe('policy-forbids');
    texts.set(1, '');
    expect(await authorizer(REQUEST, revision(1, '0.000002'), 0)).toBeNull();
    expect(reads).toEqual([1, 1]);
  });
  it('keeps few revisions', async () => {
    for (let number = 10; number < 20; number += 1) texts.set(number, '');
    for (let number = 10; number < 20; number += 1) await verdict(number);
    reads = [];
    await verdict(19);
    await verdict(10);
    expect(reads).toEqual([10]);
  });
});
