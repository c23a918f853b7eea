import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { account, plan } from '../../testing/objects.ts';
import { show } from '../../testing/show.tsx';
import { rowsOf } from '../../testing/table.ts';
import { UsersPage } from './users-page.tsx';

const USERS = 'GET /api/users';
const PLANS = 'GET /api/plans';

beforeEach(() => {
  given(USERS, listed('users', [account('ada'), account('bob', { plan: null, roles: [], enabled: false })]));
  given(PLANS, listed('plans', [plan('team'), plan('trial')]));
});

/** What each row shows, cell by cell, without its actions. */
const shown = () =>
  rowsOf('Users').map((row) =>
    [...row.querySelectorAll('td')]
      .slice(0, -1)
      .map((cell) => cell.querySelector<HTMLInputElement>('[role=combobox]')?.value ?? cell.textContent),
  );
const opened = async (at = '#users') => {
  const here = show(<UsersPage />, at);
  await screen.findByRole('table', { name: 'Users' });
  return here;
};

describe('the users', () => {
  it('are listed with plan, roles and state; what refuses a person is said', async () => {
    given(
      USERS,
      listed('users', [
        account('ada', {
          displayName: 'Ada Lovelace',
          spent: 1.5,
          lastCallAt: '2026-01-05T08:00:00.000Z',
          keyEndsAt: '2030-02-01T00:00:00.000Z',
        }),
        account('bob', { plan: null, roles: [], enabled: false }),
        account('eve', {
          revoked: true,
          origin: 'directory',
          roles: [
            { role: 'auditeur', project: null },
            { role: 'administrateur-de-projet', project: 'apollo' },
          ],
        }),
      ]),
    );
    await opened();
    await waitFor(() => expect(shown()[0]?.[1]).toBe('Team'));
    expect(shown()).toEqual([
      ['adaAda Lovelace', 'Team', 'UserChange', 'enabled', '€1.50', '5 Jan 2026', '1 Feb 2030'],
      ['bob', '', 'no role: refusedChange', 'disabled', '€0.00', '–', '–'],
      ['eveidentity provider', 'Team', 'AuditorProject administrator · apolloChange', 'revoked', '€0.00', '–', '–'],
    ]);
    expect(screen.getByPlaceholderText('no plan: refused')).toBeDefined();
  });

  it('are filtered by plan, role and state, and all that match are selected', async () => {
    const { user } = await opened('#users?role=none&state=disabled');
    await user.click(screen.getByRole('combobox', { name: 'Plan' }));
    await user.click(await screen.findByRole('option', { name: 'No plan' }));
    await waitFor(() =>
      expect(reads('/api/users').at(-1)).toMatchObject({ plan: 'none', role: 'none', state: 'disabled' }),
    );
    const next = [account('cleo'), account('dora')];
    given(USERS, ({ query }) =>
      query['cursor'] === undefined ? listed('users', [account('bob')], { next: 'x' }) : listed('users', next),
    );
    await user.click(await screen.findByRole('checkbox', { name: 'Select bob' }));
    await user.click(screen.getByRole('button', { name: 'Select all that match' }));
    expect(await screen.findByText('3 people are selected.')).toBeDefined();
    expect(reads('/api/users').at(-1)).toMatchObject({ plan: 'none', role: 'none', state: 'disabled', cursor: 'x' });
  });

  it('that are none yet begin with the first one', async () => {
    given(USERS, listed('users', []));
    const { user } = show(<UsersPage />);
    expect(await screen.findByText('No user yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Create the first user' }));
    expect(await screen.findByRole('dialog', { name: 'Create a user' })).toBeDefined();
  });

  it('are shown while the plans still load, with the state of each plan', async () => {
    const letGo = held(PLANS, listed('plans', [plan('team')]));
    await opened();
    expect(shown()[0]?.[1]).toBe('');
    letGo();
    await waitFor(() => expect(shown()[0]?.[1]).toBe('Team'));
  });

  it('may not be changed by a person with a role, who still changes roles', async () => {
    given(PLANS, refused(403, 'Only the shared pair of this console may use this address. No role allows it.'));
    await opened();
    expect(await screen.findByText(/Only the shared pair can change the rest\./)).toBeDefined();
    expect(shown().map((cells) => cells[1])).toEqual(['has a plan', 'no plan: refused']);
    for (const name of ['Create a user', 'Import', 'Keys of ada']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Change the roles of ada' })).toBeDefined();
  });

  it('may not be read at all by others, who get no actions', async () => {
    given(USERS, refused(403, 'You hold no role that carries membres:lire-l-instance here.'));
    given(PLANS, refused(403, 'Only the shared pair.'));
    show(<UsersPage />);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('the search', () => {
  it('is in the address, asks once the typing pauses, and begins at the first page', async () => {
    const { user } = await opened('#users?page=3&at=cursor');
    given(USERS, ({ query }) => listed('users', query.search === 'ad' ? [account('ada')] : []));
    await user.type(screen.getByRole('textbox', { name: 'Search users' }), 'ad');
    await waitFor(() => expect(location.hash).toBe('#users?search=ad'));
    await waitFor(() => expect(reads('/api/users').at(-1)).toEqual({ limit: '50', search: 'ad' }));
    expect(reads('/api/users').some(({ search }) => search === 'a')).toBe(false);
  });

  it('that finds nobody says so, and offers no creation', async () => {
    given(USERS, listed('users', []));
    show(<UsersPage />, '#users?search=zoe');
    expect(await screen.findByText('No user matches “zoe”.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Create the first user' })).toBeNull();
  });

  it('takes no key: it stays out of the address and of every request', async () => {
    const { user } = await opened();
    const field = screen.getByRole('textbox', { name: 'Search users' });
    await user.type(field, `gwk_${'0'.repeat(8)}`);
    expect(
      await screen.findByText(/Looks like a key: not searched for\. Its last four characters are enough\./),
    ).toBeDefined();
    await user.clear(field);
    await user.type(field, 'c0de');
    await waitFor(() => expect(location.hash).toBe('#users?search=c0de'));
    expect(JSON.stringify(reads('/api/users'))).not.toContain('gwk_');
  });
});

describe('the plan of a person', () => {
  const choose = async (user: Awaited<ReturnType<typeof opened>>['user'], plan: string) => {
    await waitFor(() => expect(shown()[0]?.[1]).toBe('Team'));
    await user.click(screen.getByRole('combobox', { name: 'Plan of ada' }));
    await user.click(await screen.findByRole('option', { name: plan }));
  };

  it('is changed at once, and back within the notification', async () => {
    given('PATCH /api/users/id-of-ada', {});
    const { user } = await opened();
    await choose(user, 'Trial');
    expect(await screen.findByText('Plan of ada changed.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('ada has its previous plan again.')).toBeDefined();
    expect(changes()).toEqual([
      ['PATCH /api/users/id-of-ada', { plan: 'id-of-trial' }],
      ['PATCH /api/users/id-of-ada', { plan: 'id-of-team' }],
    ]);
  });

  it('is not sent again where the one that it has is chosen', async () => {
    const { user } = await opened();
    await choose(user, 'Team');
    expect(changes()).toEqual([]);
  });

  it('stays as it was where the change is refused, with the sentence beside it', async () => {
    given('PATCH /api/users/id-of-ada', refused(404, 'There is no such user.'));
    const { user } = await opened();
    await choose(user, 'Trial');
    expect(await screen.findByText('There is no such user.')).toBeDefined();
    expect(shown()[0]?.[1]).toContain('Team');
    expect(screen.queryByText('Plan of ada changed.')).toBeNull();
  });

  it('says that an undo was not done, and why', async () => {
    given('PATCH /api/users/id-of-ada', ({ body }) =>
      (body as { plan: string }).plan === 'id-of-trial'
        ? {}
        : Response.json({ error: 'plan must be the id of one that exists' }, { status: 400 }),
    );
    const { user } = await opened();
    await choose(user, 'Trial');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('It was not undone: plan must be the id of one that exists')).toBeDefined();
  });
});

describe('several people', () => {
  it('are marked, counted, and unmarked together', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('checkbox', { name: 'Select ada' }));
    expect(screen.getByText('1 person is selected.')).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: 'Select all Users of this page' }));
    expect(screen.getByText('2 people are selected.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Deselect all' }));
    expect(screen.queryByRole('group', { name: 'Marked people' })).toBeNull();
  });

  it('stay marked while another page or another search is shown', async () => {
    given(USERS, ({ query }) => listed('users', [account(query.search === 'z' ? 'zoe' : 'ada')]));
    const { user } = await opened();
    await user.click(screen.getByRole('checkbox', { name: 'Select ada' }));
    await user.type(screen.getByRole('textbox', { name: 'Search users' }), 'z');
    await user.click(await screen.findByRole('checkbox', { name: 'Select zoe' }));
    expect(screen.getByText('2 people are selected.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Change them' }));
    const table = await screen.findByRole('table', { name: 'What would change' });
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['adaenabled→ disabled', 'zoeenabled→ disabled']);
  });
});

describe('the dialogs of a row', () => {
  it('open by keyboard, close by Escape, and give the focus back', async () => {
    given('GET /api/users/id-of-ada/keys', listed('keys', []));
    const { user } = await opened();
    const button = screen.getByRole('button', { name: 'Keys of ada' });
    button.focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Keys of ada' })).toBeDefined();
    expect(await screen.findByText('This account has no key.')).toBeDefined();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('show the roles of a person, and grant one more', async () => {
    given('GET /api/role-assignments', listed('roleAssignments', []));
    given('POST /api/role-assignments', {});
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Change the roles of bob' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Roles of bob' }));
    expect(await dialog.findByText('No role yet: every call is refused.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Grant' }));
    expect(await screen.findByText('bob has the role User.')).toBeDefined();
    expect(reads('/api/role-assignments')[0]).toEqual({ subject: 'bob', limit: '50' });
    expect(changes()).toEqual([['POST /api/role-assignments', { subject: 'bob', role: 'utilisateur-standard' }]]);
  });
});
