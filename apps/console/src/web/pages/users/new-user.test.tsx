import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changes, given, held, refused } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { NewUser } from './users-page.tsx';

const CREATE = 'POST /api/users';
const choices = (...names: readonly string[]) =>
  names.map((label) => ({ value: `id-of-${label.toLowerCase()}`, label }));
const KEY = `gwk_${'0'.repeat(48)}`;

let close = vi.fn<() => void>();
beforeEach(() => {
  close = vi.fn<() => void>();
  given(CREATE, ({ body }) => ({ ...(body as object), id: 'made', key: KEY }));
});

const field = (name: string) =>
  screen.getByRole<HTMLInputElement>(name === 'Username' ? 'textbox' : 'combobox', { name });
async function opened(...plans: readonly string[]) {
  const { user } = show(<NewUser opened close={close} plans={choices(...plans)} />);
  await screen.findByRole('dialog', { name: 'Create a user' });
  return user;
}
type Person = Awaited<ReturnType<typeof opened>>;
async function choose(user: Person, name: string, option: string) {
  await user.click(field(name));
  await user.click(await screen.findByRole('option', { name: option }));
}
const submit = (user: Person) => user.click(screen.getByRole('button', { name: 'Create and show the key' }));
const body = () => changes()[0]?.[1];

describe('a new user', () => {
  it('gets the role User and the only plan that people have, without a choice', async () => {
    const user = await opened('Administrator', 'Team');
    expect([field('Plan').value, field('Role').value]).toEqual(['Team', 'User']);
    await user.type(field('Username'), 'ada');
    await submit(user);
    await screen.findByText(KEY);
    expect(changes()).toEqual([
      ['POST /api/users', { username: 'ada', keyExpiresAt: null, plan: 'id-of-team', role: 'utilisateur-standard' }],
    ]);
  });
  it('gets no plan by itself where there are several, or the administrator’s alone', async () => {
    const user = await opened('Team', 'Trial');
    expect(field('Plan').value).toBe('');
    await user.type(field('Username'), 'ada');
    await submit(user);
    await screen.findByText(KEY);
    expect(body()).not.toHaveProperty('plan');
  });
  it('has what was chosen: plan, role and expiry of its key', async () => {
    const user = await opened('Team', 'Trial');
    await user.type(field('Username'), 'ada');
    await choose(user, 'Plan', 'Trial');
    await choose(user, 'Role', 'Auditor');
    await choose(user, 'The key expires', 'After 7 days');
    const before = Date.now();
    await submit(user);
    await screen.findByText(KEY);
    expect(body()).toMatchObject({ plan: 'id-of-trial', role: 'auditeur' });
    const days = (Date.parse((body() as { keyExpiresAt: string }).keyExpiresAt) - before) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });
  it('has no role where it was taken away, which the form explains', async () => {
    const user = await opened('Team');
    const role = field('Role').closest('.mantine-InputWrapper-root') as HTMLElement;
    expect(within(role).getByText('More roles can be granted in the list.')).toBeDefined();
    await user.click(within(role).getByRole('button', { hidden: true }));
    expect(field('Role').value).toBe('');
    expect(within(role).getByText('Without one, every call is refused.')).toBeDefined();
    await user.type(field('Username'), 'ada');
    await submit(user);
    await screen.findByText(KEY);
    expect(body()).toEqual({ username: 'ada', keyExpiresAt: null, plan: 'id-of-team' });
  });
  it('is sent once, however often Enter is pressed', async () => {
    const letGo = held(CREATE, { username: 'ada', key: KEY });
    const user = await opened('Team');
    await user.type(field('Username'), 'ada{Enter}{Enter}{Enter}');
    letGo();
    expect(await screen.findByText(KEY)).toBeDefined();
    expect(changes()).toHaveLength(1);
  });
  it('whose name is taken stays in the form, with the sentence at the name', async () => {
    given(
      CREATE,
      refused(409, 'There is another account with this username.', { fields: { username: 'is taken already' } }),
    );
    const user = await opened('Team');
    await user.type(field('Username'), 'ada');
    await choose(user, 'Role', 'Auditor');
    await submit(user);
    expect(await screen.findByText('is taken already')).toBeDefined();
    expect([field('Username').value, field('Role').value, close.mock.calls.length]).toEqual(['ada', 'Auditor', 0]);
  });
  it('without a name is not sent', async () => {
    const user = await opened('Team');
    await submit(user);
    expect([field('Username').validity.valueMissing, changes()]).toEqual([true, []]);
  });
});

describe('the key of a new user', () => {
  it('is shown once, and only the button closes it', async () => {
    const user = await opened('Team');
    await user.type(field('Username'), 'ada');
    await submit(user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Key of ada' }));
    await user.keyboard('{Escape}');
    expect(dialog.getByText(KEY)).toBeDefined();
    expect(dialog.getByText(/This key is shown once\./)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(KEY)).toBeNull());
    expect(close).toHaveBeenCalled();
  });
  it('is copied whole', async () => {
    const user = await opened('Team');
    await user.type(field('Username'), 'ada');
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe(KEY);
  });
  it('is not lost by leaving while it is made: the dialog stays until it is there', async () => {
    const letGo = held(CREATE, { username: 'ada', key: KEY });
    const user = await opened('Team');
    await user.type(field('Username'), 'ada{Enter}');
    await user.keyboard('{Escape}');
    expect(close).not.toHaveBeenCalled();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
    letGo();
    expect(await screen.findByText(KEY)).toBeDefined();
  });
});

describe('leaving the form', () => {
  it('sends nothing, and forgets what was typed', async () => {
    const user = await opened('Team');
    await user.type(field('Username'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect([close.mock.calls.length, field('Username').value, changes()]).toEqual([1, '', []]);
  });
});
