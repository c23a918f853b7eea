import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { Surface } from '../../route/use-route.ts';
import { changes, EMPTY, given, held, listed, reads, refused } from '../../testing/api.ts';
import { account, person, plan, spending } from '../../testing/objects.ts';
import { show } from '../../testing/show.tsx';
import { AccessDialog } from './access.tsx';

const KEYS = 'GET /api/users/id-of-ada/keys';
const key = (but: object = {}) => ({
  id: 'key',
  label: 'laptop',
  lastFour: 'cdef',
  createdAt: '2026-01-31T08:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  ...but,
});
const revocation = {
  id: 'r1',
  subject: 'ada',
  reason: 'left the company\u202e',
  author: 'grace',
  revokedAt: '2026-02-01T08:00:00.000Z',
  liftedAt: null,
};

beforeEach(() => {
  given('GET /api/subjects', listed('subjects', [person('ada')]));
  given('GET /api/subject-revocations', listed('subjectRevocations', []));
  given('GET /api/users', listed('users', [account('ada')]));
  given('GET /api/plans', listed('plans', [plan('team'), plan('trial')]));
  given('GET /api/spending-caps', listed('spendingCaps', [spending('ada-lovelace', { share: 2 }), spending('ada')]));
  given(KEYS, listed('keys', [key()]));
});

const dialog = () => screen.findByRole('dialog', { name: 'Access of ada' });

async function opened(surface = { path: '/', tabs: ['users', 'usage', 'audit'] }) {
  const { user } = show(
    <Surface value={surface}>
      <AccessDialog subject="ada" opened close={() => undefined} />
    </Surface>,
  );
  await within(await dialog()).findByText(/^Calls of|^Every call of/);
  return user;
}

const causes = () => screen.queryAllByRole('note').map(({ textContent }) => textContent);
const actions = () =>
  [...screen.getByRole('region', { name: 'What can be done' }).querySelectorAll('button')].map(
    (one) => one.textContent,
  );

describe('the access of a person', () => {
  it('that nothing refuses says so, with the roles and the ways to refuse it', async () => {
    await opened();
    await waitFor(() => expect(actions()).toEqual(['Revoke', 'Disable', 'Remove the plan', 'Delete']));
    expect(screen.getByText('Calls of ada to endpoints are served.')).toBeDefined();
    expect(screen.getByText(/^Roles: User\./)).toBeDefined();
    expect(causes()).toEqual([]);
  });

  it('names everything that refuses it', async () => {
    const roles = [{ role: 'administrateur-de-projet', project: 'apollo' } as const];
    given('GET /api/subjects', listed('subjects', [person('ada', { roles, enabled: false, revoked: true })]));
    given('GET /api/subject-revocations', listed('subjectRevocations', [revocation]));
    given('GET /api/users', listed('users', [account('ada', { plan: null, enabled: false })]));
    given('GET /api/spending-caps', listed('spendingCaps', [spending('ada', { spent: 12, share: 1.2 })]));
    given(
      KEYS,
      listed('keys', [key({ revokedAt: '2026-02-01T08:00:00.000Z' }), key({ expiresAt: '2026-02-01T08:00:00.000Z' })]),
    );
    await opened();
    await waitFor(() => expect(causes()).toHaveLength(6));
    expect(screen.getByText('Every call of ada to an endpoint is refused:')).toBeDefined();
    expect(screen.getByText(/^Roles: Project administrator · apollo\./)).toBeDefined();
    for (const [at, says] of [
      'Revoked since 1 Feb 2026, 08:00:00 UTC by grace: left the company\\u202e',
      'No role lets it call endpoints.',
      'The account is disabled.',
      'The account has no plan.',
      'The cap of this month is reached: €12.00 of €10.00.',
      'No key of the account is in force.',
    ].entries())
      expect(causes()[at]).toContain(says);
  });

  it('of a name that nobody has says that it is unknown', async () => {
    given('GET /api/subjects', listed('subjects', []));
    given('GET /api/users', listed('users', []));
    await opened();
    expect(causes()).toEqual(['No account, role or project has this name.']);
    expect(actions()).toEqual(['Revoke']);
  });

  it('does not ask for keys of a person of the identity provider, who signs in there', async () => {
    given('GET /api/users', listed('users', [account('ada', { origin: 'directory' })]));
    given(KEYS, listed('keys', []));
    await opened();
    await waitFor(() => expect(actions()).toHaveLength(4));
    expect(causes()).toEqual([]);
  });

  it('can be read, but its account not changed, by an administrator who does not see the plans', async () => {
    given('GET /api/plans', refused(403, 'Your roles do not permit this.'));
    given('GET /api/users', listed('users', [account('ada', { plan: null, enabled: false })]));
    await opened();
    await waitFor(() => expect(causes()).toEqual(['The account is disabled.', 'The account has no plan.']));
    expect(actions()).toEqual(['Revoke']);
  });

  it('leads to what the person did, on the pages that this surface has', async () => {
    await opened();
    const links = () =>
      within(screen.getByRole('navigation'))
        .queryAllByRole('link')
        .map((one) => one.getAttribute('href'));
    expect(links()).toEqual([
      '#audit/decisions?subject=ada',
      '#audit/decisions?outcome=refused&subject=ada',
      '#audit/agent-acts?subject=ada',
      '#usage?subject=ada',
    ]);
  });

  it.each([
    'GET /api/subjects',
    'GET /api/subject-revocations',
    'GET /api/users',
    'GET /api/spending-caps',
    KEYS,
  ] as const)('is not said to be served while a part is read, or cannot be read: %s', async (address) => {
    const letGo = held(address, refused(503, 'Down.', { down: 'database' }));
    show(<AccessDialog subject="ada" opened close={() => undefined} />);
    expect(await within(await dialog()).findByRole('status', { name: 'Access: loading' })).toBeDefined();
    await waitFor(() => expect(reads(address.slice(4))).toHaveLength(1));
    expect(screen.queryByText(/^Calls of/)).toBeNull();
    letGo();
    expect(await within(await dialog()).findByRole('alert')).toBeDefined();
    expect(screen.queryByText(/^Calls of|^Every call of/)).toBeNull();
  });
});

describe('a button of it', () => {
  it('grants the first role, and the dialog shows that the person is served', async () => {
    given('GET /api/subjects', listed('subjects', [person('ada', { roles: [] })]));
    given('POST /api/role-assignments', () => {
      given('GET /api/subjects', listed('subjects', [person('ada')]));
      return {};
    });
    const user = await opened();
    await user.dblClick(screen.getByRole('button', { name: 'Grant the role User' }));
    expect(await screen.findByText('Calls of ada to endpoints are served.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/role-assignments', { subject: 'ada', role: 'utilisateur-standard' }]]);
  });

  it.each([
    ['Grant the role User', 'POST /api/role-assignments'],
    ['Enable', 'PATCH /api/users/id-of-ada'],
  ] as const)('“%s” says why it was refused', async (name, address) => {
    given('GET /api/subjects', listed('subjects', [person('ada', { roles: [] })]));
    given('GET /api/users', listed('users', [account('ada', { enabled: false })]));
    given(address, refused(403, 'Your roles do not permit this.'));
    const user = await opened();
    const [button] = await screen.findAllByRole('button', { name });
    if (button !== undefined) await user.click(button);
    expect(await screen.findByText('Your roles do not permit this.')).toBeDefined();
  });

  it.each([
    [account('ada', { enabled: false }), 'ada may call again.'],
    [
      account('ada', { enabled: false, plan: null, revoked: true, roles: [] }),
      'The account of ada is enabled. Its calls are still refused: it is revoked, it has no plan, no role lets it call endpoints.',
    ],
  ])('enables the account, and does not promise what something else refuses: %#', async (before, says) => {
    given('GET /api/users', listed('users', [before]));
    given('PATCH /api/users/id-of-ada', ({ body }) => ({ ...before, ...(body as object) }));
    const user = await opened();
    const [button] = await screen.findAllByRole('button', { name: 'Enable' });
    if (button !== undefined) await user.click(button);
    expect(await screen.findByText(says)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The account of ada is disabled again.')).toBeDefined();
    expect(changes().map(([, body]) => body)).toEqual([{ enabled: true }, { enabled: false }]);
  });

  it('revokes the name with a reason, and the revocation can be undone', async () => {
    given('POST /api/subject-revocations', { id: 'r1' });
    given('POST /api/subject-revocations/r1/lift', {});
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Revoke: Revoke ada' }));
    await user.type(await screen.findByRole('textbox', { name: 'Reason, kept in the log' }), 'lost laptop{Enter}');
    await screen.findByText('ada is refused from the next call on.');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('The revocation of ada is lifted.');
    expect(changes()).toEqual([
      ['POST /api/subject-revocations', { subject: 'ada', reason: 'lost laptop' }],
      ['POST /api/subject-revocations/r1/lift', { reason: 'undone at once' }],
    ]);
  });

  it('takes the plan away, and gives it back', async () => {
    given('PATCH /api/users/id-of-ada', {});
    const user = await opened();
    await user.click(await screen.findByRole('button', { name: 'Remove the plan: Remove the plan of ada' }));
    await user.click(await screen.findByRole('button', { name: 'Remove the plan' }));
    await screen.findByText('ada has no plan: its calls are refused.');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('ada has its previous plan again.');
    expect(changes().map(([, body]) => body)).toEqual([{ plan: null }, { plan: 'id-of-team' }]);
  });

  it('deletes the account', async () => {
    given('DELETE /api/users/id-of-ada', EMPTY);
    const user = await opened();
    await user.click(await screen.findByRole('button', { name: 'Delete: Delete user ada' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('User ada deleted.')).toBeDefined();
  });
});
