import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { account, plan } from '../../testing/objects.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { ImportDialog } from './import-dialog.tsx';

const CREATE = 'POST /api/users/import';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const namesOf = (body: unknown) =>
  (body as { users: readonly { username: string }[] }).users.map(({ username }) => username);
const keyFor = (username: string) => `gwk_${username}`;

let close = vi.fn<() => void>();
beforeEach(() => {
  close = vi.fn<() => void>();
  given('GET /api/users', listed('users', [account('ada')]));
  given(CREATE, ({ body }) => ({
    results: namesOf(body).map((username) => ({ username, outcome: 'created', key: keyFor(username) })),
  }));
});

async function opened(text?: string) {
  const { user } = show(<ImportDialog opened close={close} plans={[plan('team')]} />);
  await screen.findByRole('dialog', { name: 'Import people' });
  if (text !== undefined) await fill(user, screen.getByRole('textbox', { name: 'Text of the file' }), text);
  return user;
}
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const lines = () => cellsOf('What each line does');

describe('an import of people', () => {
  it('shows what each line would do before anything is sent', async () => {
    await opened('username,plan,role,display name,email\ngrace,Team,User,Grace Hopper,grace@example.org\njoan,,,,');
    await screen.findByRole('table', { name: 'What each line does' });
    expect(lines()).toEqual([
      ['2', 'grace', 'Creates an account: Team, User, Grace Hopper, grace@example.org'],
      ['3', 'joan', 'Creates an account: no plan, no role'],
    ]);
    await waitFor(async () => expect((await button('Create 2 accounts')).disabled).toBe(false));
    expect(changes()).toEqual([]);
  });

  it('leaves out lines that are faulty, each with its reasons, and says so', async () => {
    const user = await opened('username,plan,email\nada,,\ngrace,Gold,nobody\njoan,team,\njoan,,');
    await waitFor(() => expect(lines()[0]?.[2]).toBe('Left out: ada has an account already'));
    expect(lines().map((cells) => cells[2])).toEqual([
      'Left out: ada has an account already',
      'Left out: there is no plan Gold; nobody is not an e-mail address',
      'Creates an account: Team, no role',
      'Left out: joan is on line 4 too',
    ]);
    expect(screen.getByRole('status').textContent).toBe('3 lines are left out: correct them, or import the rest.');
    await user.click(await button('Create 1 account'));
    await screen.findByText(/^1 account got a key/);
    expect(changes()).toEqual([
      [CREATE, { users: [{ username: 'joan', plan: 'id-of-team' }], import: expect.stringMatching(UUID) }],
    ]);
  });

  it.each([
    ['nom,plan\nada,Team', /^The first line must name the columns: .* Not known: nom\.$/],
    ['plan,role\nTeam,User', /^The first line must name the columns/],
    ['username', 'The file has no line below the first.'],
  ])('of a text that is no such file says what is missing: %j', async (text, fault) => {
    await opened(text);
    expect((await screen.findByRole('alert')).textContent).toMatch(fault);
    expect((await button('Create 0 accounts')).disabled).toBe(true);
  });

  it('takes a file from the disk', async () => {
    const user = await opened();
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    expect(input?.accept).toBe('.csv,text/csv,text/plain');
    await user.upload(input as HTMLInputElement, new File(['username\r\nzoë\r\n'], 'people.csv', { type: 'text/csv' }));
    await screen.findByRole('table', { name: 'What each line does' });
    expect(lines()).toEqual([['2', 'zoë', 'Creates an account: no plan, no role']]);
  });

  it('waits until all accounts are known, page after page', async () => {
    const letGo = held('GET /api/users', ({ query }: { query: Readonly<Record<string, string>> }) =>
      query['cursor'] === undefined
        ? listed('users', [account('ada')], { next: 'second' })
        : listed('users', [account('joan')]),
    );
    await opened('username\njoan');
    expect((await button('Create 1 account')).disabled).toBe(true);
    letGo();
    await waitFor(() => expect(lines()).toEqual([['2', 'joan', 'Left out: joan has an account already']]));
    expect(reads('/api/users')).toEqual([{ limit: '500' }, { limit: '500', cursor: 'second' }]);
  });

  it('creates nothing while the accounts cannot be read', async () => {
    given('GET /api/users', refused(503, 'No decision could be made.', { down: 'database' }));
    await opened('username\njoan');
    expect(await screen.findByRole('alert', { name: "The console's database does not answer" })).toBeDefined();
    expect((await button('Create 1 account')).disabled).toBe(true);
  });

  it('of many people sends batches, each person once, in the order of the file', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `person-${at}`);
    const user = await opened(['username', ...names].join('\n'));
    await waitFor(async () => expect((await button('Create 150 accounts')).disabled).toBe(false));
    await user.dblClick(await button('Create 150 accounts'));
    await screen.findByText(/^150 accounts got a key/);
    expect(changes().map(([, body]) => namesOf(body).length)).toEqual([100, 50]);
    expect(changes().flatMap(([, body]) => namesOf(body))).toEqual(names);
  });
});

describe('the keys of an import', () => {
  const created = async (text: string) => {
    const user = await opened(text);
    const make = await screen.findByRole<HTMLButtonElement>('button', { name: /^Create \d+ account/ });
    await waitFor(() => expect(make.disabled).toBe(false));
    await user.click(make);
    await button('Done');
    return user;
  };

  it('are shown once as a file of names and keys, and only the button closes them', async () => {
    const user = await created('username\ngrace\n"a,b"');
    const keys = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Keys' });
    expect([keys.value, keys.readOnly]).toEqual([
      `username,key\ngrace,${keyFor('grace')}\n"a,b",${keyFor('a,b')}\n`,
      true,
    ]);
    await user.keyboard('{Escape}');
    expect([close.mock.calls.length, screen.queryByRole('button', { name: 'Cancel' })]).toEqual([0, null]);
    await user.click(await button('Copy the keys'));
    expect(await navigator.clipboard.readText()).toBe(keys.value);
    await user.click(await button('Done'));
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('of those that were created are shown beside the refusals of the others', async () => {
    given(CREATE, ({ body }) => ({
      results: namesOf(body).map((username) =>
        username === 'grace'
          ? { username, outcome: 'refused', error: 'email must be an e-mail address' }
          : { username, outcome: 'created', key: keyFor(username) },
      ),
    }));
    await created('username\ngrace\njoan');
    const alert = screen.getByRole('alert', { name: '1 account could not be created' });
    expect(alert.textContent).toContain('grace: email must be an e-mail address');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Keys' }).value).toBe(
      `username,key\njoan,${keyFor('joan')}\n`,
    );
  });

  it('can be revoked together, also those of an earlier import', async () => {
    const row = { id: 'i1', author: 'root', startedAt: '2026-01-02T03:04:05.000Z', keys: 3 };
    given(
      'GET /api/imports',
      listed('imports', [
        { ...row, keysInForce: 2 },
        { ...row, id: 'i2', keysInForce: 0 },
      ]),
    );
    given('POST /api/imports/i1/revoke-keys', { revoked: 2 });
    const user = await opened();
    await waitFor(() =>
      expect(cellsOf('Earlier imports').map((cells) => cells.slice(2, 4))).toEqual([
        ['3', '2'],
        ['3', '0'],
      ]),
    );
    await user.click(await button('Revoke its keys: Revoke the keys of this import'));
    await user.click(await button('Revoke its keys'));
    expect(await screen.findByText('2 keys revoked.')).toBeDefined();

    await fill(user, screen.getByRole('textbox', { name: 'Text of the file' }), 'username\ngrace');
    await user.click(await button('Create 1 account'));
    await user.click(await button('Undo: revoke these keys: Revoke the keys of this import'));
    const [, sent] = changes()[1] ?? [];
    const { import: id } = sent as { import: string };
    given(`POST /api/imports/${id}/revoke-keys`, { revoked: 1 });
    await user.click(await button('Undo: revoke these keys'));
    expect(await screen.findByText('1 key revoked.')).toBeDefined();
    expect(changes()[2]).toEqual([`POST /api/imports/${id}/revoke-keys`]);
  });

  it('are none where every account was refused', async () => {
    given(CREATE, refused(403, 'Only the shared pair of this console may use this address.'));
    await created('username\ngrace');
    expect(screen.queryByRole('textbox', { name: 'Keys' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
