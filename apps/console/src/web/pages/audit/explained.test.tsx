import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../api/objects.ts';
import { Surface } from '../../route/use-route.ts';
import { given, held, refused, unreachable } from '../../testing/api.ts';
import { decision } from '../../testing/entries.ts';
import { show } from '../../testing/show.tsx';
import { Explained, Upstream } from './decisions.tsx';

const ADMINISTRATION = { path: '/', tabs: ['users', 'endpoints', 'governance', 'audit'] };
/** The reason may be one that this version does not know. */
const refusedFor = (reason: string, but: Partial<Decision> = {}) =>
  ({ ...decision({ outcome: 'refused', ...but }), reason }) as Decision;
const explained = (entry: Decision, surface = ADMINISTRATION) =>
  show(
    <Surface value={surface}>
      <Explained decision={entry} />
    </Surface>,
  );

describe('a refusal', () => {
  it.each<[string, Partial<Decision>, string, string]>([
    ['policy-forbids', {}, 'To the authorization policy', '#governance'],
    ['execution-policy-error', {}, 'To the authorization policy', '#governance'],
    ['endpoint-disabled', {}, 'To the endpoints', '#endpoints'],
    ['endpoint-unknown', { subject: null }, 'To the endpoints', '#endpoints'],
    ['session-revoked', { session: 'a b' }, 'To this session', '#audit/agent-sessions?session=a+b'],
    ['role-missing', {}, 'To the roles of ada', '#governance/roles?search=ada'],
    ['subject-revoked', { subject: 'a&b' }, 'To the revocation of a&b', '#audit/revoked-subjects?subject=a%26b'],
    ['key-expired', {}, 'To the account of ada', '#users?search=ada'],
    ['cap-reached', {}, 'To the account of ada', '#users?search=ada'],
    ['plan-missing', {}, 'To the account of ada', '#users?search=ada'],
  ])('for %s is explained, with a link to the page that fixes it', (reason, but, label, href) => {
    explained(refusedFor(reason, but));
    expect(screen.getByRole('note').textContent?.length).toBeGreaterThan(20);
    expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(href);
  });

  it.each([
    ['key-unknown', {}],
    ['role-missing', { subject: null }],
    ['session-revoked', { session: null, subject: null }],
  ] as const)('for %s that no page fixes is explained without a link: %j', (reason, but) => {
    explained(refusedFor(reason, but));
    expect(screen.getByRole('note')).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('is explained to auditors without links into pages that they do not have', () => {
    explained(refusedFor('role-missing'), { path: '/audit', tabs: ['audit'] });
    expect([screen.getAllByRole('note').length, screen.queryByRole('link')]).toEqual([1, null]);
  });

  it('for a reason that this version does not know has no explanation', () => {
    explained(refusedFor('reason-of-a-later-version'));
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('is not what a granted call needs', () => {
    explained(decision());
    expect(screen.queryByRole('note')).toBeNull();
  });
});

describe('the answer of the engine', () => {
  const PATH = `GET /api/audit/decisions/${decision().id}/upstream` as const;
  const result = {
    at: '2026-01-31T08:00:01.000Z',
    provider: 'lab',
    status: 502,
    fault: 'the engine closed the connection',
  };

  it('is loaded for a granted call, and shown with its fault', async () => {
    const letGo = held(PATH, { upstream: result });
    show(<Upstream decision={decision()} />);
    expect(screen.getByRole('status', { name: 'Engine: loading' })).toBeDefined();
    letGo();
    const group = await screen.findByRole('group', { name: 'Answer of the engine' });
    expect(group.textContent).toContain('502lab: the engine closed the connection');
  });

  it('is marked where there was none, and its provider is left out once it was deleted', async () => {
    given(PATH, { upstream: { ...result, provider: null, status: null, fault: null } });
    show(<Upstream decision={decision()} />);
    expect((await screen.findByRole('group')).textContent).toContain('Answer of the engineno answer');
  });

  it('may be unknown, which is said', async () => {
    given(PATH, { upstream: null });
    show(<Upstream decision={decision()} />);
    expect(await screen.findByText(/^unknown: the call is running/)).toBeDefined();
  });

  it('that cannot be read says so', async () => {
    given(PATH, unreachable);
    show(<Upstream decision={decision()} />);
    expect((await screen.findByRole('alert')).textContent).toContain('The console cannot be reached.');
  });

  it('that a person may not read is no failure', async () => {
    given(PATH, refused(403, 'You hold no role that carries journal:lire here.'));
    show(<Upstream decision={decision()} />);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
  });

  it.each([
    ['a refused call', decision({ outcome: 'refused', reason: 'role-missing' })],
    ['an act of administration', decision({ permission: 'journal:lire', resource: 'instance' })],
  ])('is not asked for where there is none: %s', (_, entry) => {
    show(<Upstream decision={entry} />);
    expect(screen.queryByRole('group')).toBeNull();
  });
});
