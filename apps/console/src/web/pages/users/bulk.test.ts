import { describe, expect, it } from 'vitest';
import type { User } from '../../api/objects.ts';
import { type Action, previewOf } from './bulk.ts';

const user = (username: string, more: Partial<User> = {}): User => ({
  id: `id-of-${username}`,
  username,
  origin: 'local',
  displayName: null,
  email: null,
  plan: null,
  enabled: true,
  revoked: false,
  spent: 0,
  lastCallAt: null,
  keyEndsAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  roles: [],
  ...more,
});
const names = (id: string | null) => (id === null ? 'no plan' : `plan ${id}`);
const ada = user('ada', { plan: 'gold', roles: [{ role: 'utilisateur-standard', project: null }] });
const bob = user('bob', { enabled: false });
const eve = user('eve', { revoked: true });

describe('the preview of an action on several people', () => {
  it.each<[string, Action, string[], string[]]>([
    [
      'disable',
      { kind: 'disable' },
      ['ada: enabled → disabled', 'eve: enabled → disabled'],
      ['bob is disabled already'],
    ],
    ['enable', { kind: 'enable' }, ['bob: disabled → enabled'], ['ada is enabled already', 'eve is enabled already']],
    [
      'revoke',
      { kind: 'revoke', reason: 'left' },
      ['ada: not revoked → revoked', 'bob: not revoked → revoked'],
      ['eve is revoked already'],
    ],
    [
      'grant',
      { kind: 'grant', role: 'utilisateur-standard' },
      ['bob: no role → User', 'eve: no role → User'],
      ['ada has the role User already'],
    ],
    [
      'a second role',
      { kind: 'grant', role: 'auditeur' },
      ['ada: User → User, Auditor', 'bob: no role → Auditor', 'eve: no role → Auditor'],
      [],
    ],
    [
      'plan',
      { kind: 'plan', plan: 'gold', name: 'Gold' },
      ['bob: no plan → Gold', 'eve: no plan → Gold'],
      ['ada has the plan Gold already'],
    ],
    [
      'another plan',
      { kind: 'plan', plan: 'iron', name: 'Iron' },
      ['ada: plan gold → Iron', 'bob: no plan → Iron', 'eve: no plan → Iron'],
      [],
    ],
  ])('%s', (_, action, steps, unchanged) => {
    const preview = previewOf([ada, bob, eve], action, names);
    expect(preview.steps.map((step) => `${step.user.username}: ${step.now} → ${step.next}`)).toEqual(steps);
    expect(preview.unchanged.map((one) => `${one.user.username} ${one.why}`)).toEqual(unchanged);
  });

  it('undoes exactly its own changes', () => {
    const undone = (of: User, action: Action) => {
      const [step] = previewOf([of], action, names).steps;
      const back = step?.undo({ id: 'made' });
      return [step?.change, back].map((change) => `${change?.method} ${change?.path} ${JSON.stringify(change?.body)}`);
    };
    expect(undone(ada, { kind: 'plan', plan: 'iron', name: 'Iron' })).toEqual([
      'PATCH /api/users/id-of-ada {"plan":"iron"}',
      'PATCH /api/users/id-of-ada {"plan":"gold"}',
    ]);
    expect(undone(bob, { kind: 'enable' })).toEqual([
      'PATCH /api/users/id-of-bob {"enabled":true}',
      'PATCH /api/users/id-of-bob {"enabled":false}',
    ]);
    expect(undone(ada, { kind: 'grant', role: 'auditeur' })).toEqual([
      'POST /api/role-assignments {"subject":"ada","role":"auditeur"}',
      'DELETE /api/role-assignments/made undefined',
    ]);
    expect(undone(ada, { kind: 'revoke', reason: 'left' })).toEqual([
      'POST /api/subject-revocations {"subject":"ada","reason":"left"}',
      'POST /api/subject-revocations/made/lift {"reason":"undone at once"}',
    ]);
  });
});
