import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../../api/objects.ts';
import { changes, EMPTY, given, held, refused } from '../../testing/api.ts';
import { account } from '../../testing/objects.ts';
import { fill, show } from '../../testing/show.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

const PLANS = [
  { value: 'id-of-team', label: 'Team' },
  { value: 'id-of-trial', label: 'Trial' },
];
const ADA = account('ada');
const BOB = account('bob', { enabled: false, plan: null, roles: [] });

let close = vi.fn<() => void>();
let done = vi.fn<() => void>();
beforeEach(() => {
  close = vi.fn<() => void>();
  done = vi.fn<() => void>();
});

async function opened(users: readonly User[], action?: string) {
  const { user } = show(<BulkDialog opened close={close} done={done} users={users} plans={PLANS} />);
  await screen.findByRole('dialog');
  if (action !== undefined) await choose(user, 'Action', action);
  return user;
}
type Person = Awaited<ReturnType<typeof opened>>;
async function choose(user: Person, name: string, option: string) {
  await user.click(screen.getByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
}
const preview = () => screen.queryAllByRole('row').map(({ textContent }) => textContent);
const apply = (user: Person) => user.click(screen.getByRole('button', { name: /^Change \d+ p/ }));

describe('a change of several people', () => {
  it('is shown for each of them before it is made, and who is not affected', async () => {
    await opened([ADA, BOB]);
    expect(screen.getByRole('dialog', { name: 'Change 2 people' })).toBeDefined();
    expect([preview(), screen.getByRole('status').textContent]).toEqual([
      ['adaenabled→ disabled'],
      '1 person would change:',
    ]);
    expect(screen.getByText('Unchanged: bob is disabled already.')).toBeDefined();
    expect(changes()).toEqual([]);
  });

  it.each([
    ['Enable the accounts', ['bobdisabled→ enabled'], { enabled: true }, 'PATCH /api/users/id-of-bob'],
    ['Disable the accounts', ['adaenabled→ disabled'], { enabled: false }, 'PATCH /api/users/id-of-ada'],
    ['Give a plan', ['bobno plan→ Team'], { plan: 'id-of-team' }, 'PATCH /api/users/id-of-bob'],
    [
      'Give a role',
      ['bobno role→ User'],
      { subject: 'bob', role: 'utilisateur-standard' },
      'POST /api/role-assignments',
    ],
  ] as const)('sends what was shown: %s', async (action, rows, body, request) => {
    given(request, { id: 'made' });
    const user = await opened([ADA, BOB], action);
    expect(preview()).toEqual(rows);
    await apply(user);
    expect(await screen.findByText(`${action}: 1 person changed.`)).toBeDefined();
    expect(changes()).toEqual([[request, body]]);
    expect([close.mock.calls.length, done.mock.calls.length]).toEqual([1, 1]);
  });

  it('follows the role and the plan that are chosen', async () => {
    const user = await opened([ADA, BOB], 'Give a role');
    await choose(user, 'Role', 'Auditor');
    expect(preview()).toEqual(['adaUser→ User, Auditor', 'bobno role→ Auditor']);
    await choose(user, 'Action', 'Give a plan');
    await choose(user, 'Plan', 'Trial');
    expect(preview()).toEqual(['adaTeam→ Trial', 'bobno plan→ Trial']);
  });

  it('needs a reason where people are revoked, which each of them gets', async () => {
    given('POST /api/subject-revocations', { id: 'r' });
    const user = await opened([ADA, BOB], 'Revoke everywhere');
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change 2 people' });
    expect(button().disabled).toBe(true);
    await fill(user, screen.getByRole('textbox', { name: 'Reason, kept in the log' }), '  ');
    expect(button().disabled).toBe(true);
    await fill(user, screen.getByRole('textbox', { name: 'Reason, kept in the log' }), 'left');
    await user.click(button());
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(changes()).toEqual([
      ['POST /api/subject-revocations', { subject: 'ada', reason: 'left' }],
      ['POST /api/subject-revocations', { subject: 'bob', reason: 'left' }],
    ]);
  });

  it('that changes nobody cannot be sent', async () => {
    await opened([BOB]);
    expect(screen.getByRole('status').textContent).toBe('Nothing would change.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change 0 people' }).disabled).toBe(true);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('is sent one after the other, and cannot be left or sent again meanwhile', async () => {
    const letGo = held('PATCH /api/users/id-of-ada', {});
    given('PATCH /api/users/id-of-eve', {});
    const user = await opened([ADA, account('eve')]);
    await apply(user);
    await apply(user);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
    await user.keyboard('{Escape}');
    expect([changes().length, close.mock.calls.length]).toEqual([1, 0]);
    letGo();
    await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    expect(changes().map(([request]) => request)).toEqual(['PATCH /api/users/id-of-ada', 'PATCH /api/users/id-of-eve']);
  });
});

describe('a change that is refused for some', () => {
  it('is made for the others, and the dialog stays with the reasons', async () => {
    given('PATCH /api/users/id-of-ada', refused(404, 'There is no such user.'));
    given('PATCH /api/users/id-of-eve', {});
    const user = await opened([ADA, account('eve')]);
    await apply(user);
    const alert = await screen.findByRole('alert', { name: 'Refused for 1 person' });
    expect(within(alert).getByRole('listitem').textContent).toBe('ada: There is no such user.');
    expect(await screen.findByText('Disable the accounts: 1 person changed.')).toBeDefined();
    expect([close.mock.calls.length, done.mock.calls.length]).toEqual([0, 1]);
  });

  it('names the fields at fault, and markup in a name stays text', async () => {
    given(
      'PATCH /api/users/id-of-x',
      refused(400, 'plan …', { fields: { plan: 'must be the id of one that exists' } }),
    );
    const user = await opened([account('<b>x</b>', { id: 'id-of-x' })], 'Give a plan');
    await choose(user, 'Plan', 'Trial');
    await apply(user);
    expect((await screen.findByRole('listitem')).textContent).toBe('<b>x</b>: plan must be the id of one that exists.');
    expect(screen.queryByText(/changed\.$/)).toBeNull();
  });
});

describe('the undo of a change', () => {
  it('takes every step back, the last first', async () => {
    for (const name of ['ada', 'eve'] as const) given(`PATCH /api/users/id-of-${name}`, {});
    const user = await opened([ADA, account('eve')]);
    await apply(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('2 undone.')).toBeDefined();
    expect(changes().slice(2)).toEqual([
      ['PATCH /api/users/id-of-eve', { enabled: true }],
      ['PATCH /api/users/id-of-ada', { enabled: true }],
    ]);
  });

  it('removes exactly the roles that were granted', async () => {
    given('POST /api/role-assignments', { id: 'assignment' });
    given('DELETE /api/role-assignments/assignment', EMPTY);
    const user = await opened([BOB], 'Give a role');
    await apply(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 undone.')).toBeDefined();
    expect(changes()[1]).toEqual(['DELETE /api/role-assignments/assignment']);
  });

  it('names those that could not be undone', async () => {
    given('PATCH /api/users/id-of-ada', ({ body }) =>
      (body as { enabled: boolean }).enabled ? Response.json({ error: 'gone' }, { status: 404 }) : {},
    );
    given('PATCH /api/users/id-of-eve', {});
    const user = await opened([ADA, account('eve')]);
    await apply(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 undone. Not undone: ada.')).toBeDefined();
  });
});
