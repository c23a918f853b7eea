import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../../api/objects.ts';
import { changes, given, held, type Sent, unreachable } from '../../testing/api.ts';
import { account } from '../../testing/objects.ts';
import { fill, show } from '../../testing/show.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

const PLANS = [
  { value: 'id-of-team', label: 'Team' },
  { value: 'id-of-trial', label: 'Trial' },
];
const ADA = account('ada');
const BOB = account('bob', { enabled: false, plan: null, roles: [] });

const CHANGES = 'POST /api/users/changes';
const GRANTS = 'POST /api/role-assignments/batch';
/** Each of a batch ends in this way. */
const ended =
  (outcome = 'changed') =>
  ({ body }: Sent) => {
    const { changes: some, subjects } = body as { changes?: readonly object[]; subjects?: readonly string[] };
    return { results: (some ?? subjects ?? []).map(() => ({ outcome })) };
  };

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
    ['Enable the accounts', 'bobdisabled→ enabled', CHANGES, { changes: [{ id: 'id-of-bob', enabled: true }] }],
    ['Disable the accounts', 'adaenabled→ disabled', CHANGES, { changes: [{ id: 'id-of-ada', enabled: false }] }],
    ['Give a plan', 'bobno plan→ Team', CHANGES, { changes: [{ id: 'id-of-bob', plan: 'id-of-team' }] }],
    ['Give a role', 'bobno role→ User', GRANTS, { role: 'utilisateur-standard', subjects: ['bob'] }],
  ] as const)('sends what was shown: %s', async (action, row, request, body) => {
    given(request, ended());
    const user = await opened([ADA, BOB], action);
    expect(preview()).toEqual([row]);
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
    given('POST /api/subject-revocations/batch', ended('revoked'));
    const user = await opened([ADA, BOB], 'Revoke everywhere');
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change 2 people' });
    expect(button().disabled).toBe(true);
    await fill(user, screen.getByRole('textbox', { name: 'Reason, kept in the log' }), '  ');
    expect(button().disabled).toBe(true);
    await fill(user, screen.getByRole('textbox', { name: 'Reason, kept in the log' }), 'left');
    await user.click(button());
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(changes()).toEqual([['POST /api/subject-revocations/batch', { subjects: ['ada', 'bob'], reason: 'left' }]]);
  });

  it('that changes nobody cannot be sent', async () => {
    await opened([BOB]);
    expect(screen.getByRole('status').textContent).toBe('Nothing would change.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change 0 people' }).disabled).toBe(true);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('of many goes in batches, which Stop ends, and says what was not sent', async () => {
    const many = Array.from({ length: 250 }, (_, nth) => account(`person-${nth}`));
    const letGo = held(CHANGES, ended());
    const user = await opened(many);
    await apply(user);
    await user.keyboard('{Escape}');
    expect([changes().length, close.mock.calls.length]).toEqual([1, 0]);
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    letGo();
    expect(await screen.findByText('100 people done. 0 refused. 150 not sent.')).toBeDefined();
    expect(changes()).toHaveLength(1);
    expect([close.mock.calls.length, done.mock.calls.length]).toEqual([0, 1]);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('whose request fails stops there, with the reason', async () => {
    given(CHANGES, unreachable);
    const user = await opened([ADA]);
    await apply(user);
    expect((await screen.findByRole('alert')).textContent).toContain('The console cannot be reached.');
    expect(screen.getByText('0 people done. 0 refused. 1 not sent.')).toBeDefined();
  });
});

describe('a change that is refused for some', () => {
  it('is made for the others, and every result can be saved', async () => {
    given(CHANGES, { results: [{ outcome: 'refused', error: 'There is no such user.' }, { outcome: 'changed' }] });
    const user = await opened([account('<b>x</b>'), ADA]);
    await apply(user);
    const alert = await screen.findByRole('alert', { name: 'Refused for 1 person' });
    expect(within(alert).getByRole('listitem').textContent).toBe('<b>x</b>: There is no such user.');
    expect(await screen.findByText('Disable the accounts: 1 person changed.')).toBeDefined();
    expect([close.mock.calls.length, done.mock.calls.length]).toEqual([0, 1]);
    const saved: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => (saved.push(blob), 'blob:x'), revokeObjectURL() {} });
    const followed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await user.click(screen.getByRole('button', { name: 'Save the result of each' }));
    followed.mockRestore();
    expect(await saved[0]?.text()).toBe(
      'username,outcome,error\n<b>x</b>,refused,There is no such user.\nada,changed,\n',
    );
  });
});

describe('the undo of a change', () => {
  it('gives everybody what they had, in batches too', async () => {
    given(CHANGES, ended());
    const user = await opened([ADA, BOB], 'Give a plan');
    await choose(user, 'Plan', 'Trial');
    await apply(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('2 undone.')).toBeDefined();
    expect(changes()[1]).toEqual([
      CHANGES,
      {
        changes: [
          { id: 'id-of-ada', plan: 'id-of-team' },
          { id: 'id-of-bob', plan: null },
        ],
      },
    ]);
  });

  it('takes the role only from those who got it, and names the others', async () => {
    given(GRANTS, { results: [{ outcome: 'held' }, { outcome: 'granted' }, { outcome: 'granted' }] });
    given('POST /api/role-assignments/batch-removal', {
      results: [{ outcome: 'removed' }, { outcome: 'refused', error: 'It comes from a group.' }],
    });
    const user = await opened(
      ['bob', 'eve', 'zoe'].map((name) => account(name, { roles: [] })),
      'Give a role',
    );
    await apply(user);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 undone. Not undone: zoe.')).toBeDefined();
    expect(changes()[1]?.[1]).toEqual({ role: 'utilisateur-standard', subjects: ['eve', 'zoe'] });
  });
});
