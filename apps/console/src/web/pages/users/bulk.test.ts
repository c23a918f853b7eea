import { describe, expect, it } from 'vitest';
import type { User } from '../../api/objects.ts';
import { type Action, previewOf, requestsOf } from './bulk-dialog.tsx';

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

  it.each<[Action, unknown[], unknown[]]>([
    [
      { kind: 'plan', plan: 'iron', name: 'Iron' },
      [
        '/api/users/changes',
        {
          changes: [
            { id: 'id-of-ada', plan: 'iron' },
            { id: 'id-of-bob', plan: 'iron' },
          ],
        },
      ],
      [
        '/api/users/changes',
        {
          changes: [
            { id: 'id-of-ada', plan: 'gold' },
            { id: 'id-of-bob', plan: null },
          ],
        },
      ],
    ],
    [
      { kind: 'revoke', reason: 'left' },
      ['/api/subject-revocations/batch', { subjects: ['ada', 'bob'], reason: 'left' }],
      ['/api/subject-revocations/batch-lift', { subjects: ['ada', 'bob'], reason: 'undone at once' }],
    ],
    [
      { kind: 'grant', role: 'auditeur' },
      ['/api/role-assignments/batch', { subjects: ['ada', 'bob'], role: 'auditeur' }],
      ['/api/role-assignments/batch-removal', { subjects: ['ada', 'bob'], role: 'auditeur' }],
    ],
  ])('goes in one request for all, and its undo too: %j', (action, made, undone) => {
    const { make, undo } = requestsOf(action);
    expect([make, undo].map(({ path, body }) => [path, body([ada, bob])])).toEqual([made, undone]);
  });
});
