import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { keyOf } from '../../testing/keys.ts';
import { account } from '../../testing/objects.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { KeysOf } from './users-page.tsx';

const PATH = '/api/users/id-of-ada/keys';
const KEY = `gwk_${'0'.repeat(48)}`;

beforeEach(() => given(`GET ${PATH}`, listed('keys', [keyOf('laptop')])));

async function opened() {
  const { user } = show(<KeysOf user={account('ada')} opened close={() => undefined} />);
  await screen.findByRole('table', { name: 'Keys of ada' });
  return user;
}
const label = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Label of a further key' });
const create = () => screen.getByRole('button', { name: 'Create' });

describe('the keys of an account', () => {
  it('are listed by their last four characters, with state, expiry and last use', async () => {
    given(
      `GET ${PATH}`,
      listed('keys', [
        keyOf('laptop', { lastUsedAt: '2026-02-01T10:00:00.000Z' }),
        keyOf('old', { expiresAt: '2020-01-01T00:00:00.000Z' }),
        keyOf('lost', { revokedAt: '2026-02-02T08:00:00.000Z' }),
      ]),
    );
    await opened();
    expect(cellsOf('Keys of ada')).toEqual([
      [
        'laptopid …laptop000000',
        'gwk_…c0de',
        'in force',
        '31 Jan 2026, 08:00:00',
        'never',
        '1 Feb 2026, 10:00:00',
        'Revoke',
      ],
      [
        'oldid …old000000000',
        'gwk_…c0de',
        'expired',
        '31 Jan 2026, 08:00:00',
        '1 Jan 2020, 00:00:00',
        'not yet',
        'Revoke',
      ],
      ['lostid …lost00000000', 'gwk_…c0de', 'revoked', '31 Jan 2026, 08:00:00', 'never', 'not yet', ''],
    ]);
  });

  it('need a label, which is said beside its field', async () => {
    const user = await opened();
    await user.click(create());
    expect(await screen.findByText('Fill in this field.')).toBeDefined();
    expect([label().getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', label()]);
    expect(changes()).toEqual([]);
    await user.type(label(), 'l');
    expect(screen.queryByText('Fill in this field.')).toBeNull();
  });

  it('that cannot be read leave the way to try again', async () => {
    given(`GET ${PATH}`, refused(404, 'There is no such user.'));
    show(<KeysOf user={account('ada')} opened close={() => undefined} />);
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such user.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});

describe('a further key', () => {
  it('is created with its label and expiry, shown once, and its label is forgotten', async () => {
    given(`POST ${PATH}`, { key: KEY });
    const user = await opened();
    await fill(user, label(), 'phone');
    await user.click(screen.getByRole('combobox', { name: 'Expires' }));
    await user.click(await screen.findByRole('option', { name: 'After 30 days' }));
    const before = Date.now();
    await user.click(create());
    const dialog = within(await screen.findByRole('dialog', { name: 'Key of ada' }));
    expect(dialog.getByText(KEY)).toBeDefined();
    const [[request, body]] = changes() as [[string, { label: string; expiresAt: string }]];
    expect([request, body.label]).toEqual([`POST ${PATH}`, 'phone']);
    expect(Math.round((Date.parse(body.expiresAt) - before) / 86_400_000)).toBe(30);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(KEY)).toBeNull());
    expect(label().value).toBe('');
    expect(screen.getByRole('dialog', { name: 'Keys of ada' })).toBeDefined();
    expect(reads(PATH).length).toBeGreaterThan(1);
  });

  it('is one, also where the button is pressed twice', async () => {
    const letGo = held(`POST ${PATH}`, { key: KEY });
    const user = await opened();
    await fill(user, label(), 'phone');
    await user.dblClick(create());
    letGo();
    await screen.findByText(KEY);
    expect(changes()).toHaveLength(1);
  });

  it('that is refused keeps its label, and the fault stands at the field', async () => {
    given(
      `POST ${PATH}`,
      refused(400, 'label holds what looks like a secret', { fields: { label: 'holds what looks like a secret' } }),
    );
    const user = await opened();
    await fill(user, label(), 'phone');
    await user.click(create());
    expect(await screen.findByText('holds what looks like a secret')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe('One field needs correction.');
    expect(label().value).toBe('phone');
  });

  it('without a label is not sent', async () => {
    const user = await opened();
    await user.click(create());
    expect(changes()).toEqual([]);
  });
});

describe('a key that is revoked', () => {
  const ask = async () => {
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Revoke: Revoke key laptop' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke key laptop' }));
    return { user, dialog };
  };

  it('is revoked after one question, which says that it cannot be undone', async () => {
    given(`POST ${PATH}/${keyOf('laptop').id}/revoke`, {});
    const { user, dialog } = await ask();
    expect(dialog.getByText(/A revoked key cannot be brought back\./)).toBeDefined();
    given(`GET ${PATH}`, listed('keys', [keyOf('laptop', { revokedAt: '2026-02-02T08:00:00.000Z' })]));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Key laptop revoked.')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke: Revoke key laptop' })).toBeNull());
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(changes()).toEqual([[`POST ${PATH}/${keyOf('laptop').id}/revoke`, {}]]);
  });

  it('is not where Escape answers the question, and the list of keys stays', async () => {
    const { user } = await ask();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Revoke key laptop' })).toBeNull());
    expect(screen.getByRole('dialog', { name: 'Keys of ada' })).toBeDefined();
    expect(changes()).toEqual([]);
  });

  it('is still there where the console refused, with the reason in the question', async () => {
    given(
      `POST ${PATH}/${keyOf('laptop').id}/revoke`,
      refused(503, 'The database did not answer in time.', { down: 'database' }),
    );
    const { user, dialog } = await ask();
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('The database did not answer in time.');
    expect(screen.queryByText('Key laptop revoked.')).toBeNull();
  });
});

describe('the rotation', () => {
  it('shows the new key after the question, and sends one request for a double click', async () => {
    const letGo = held('POST /api/users/id-of-ada/rotate-key', { key: KEY });
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Rotate: Rotate the keys of ada' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rotate the keys of ada' }));
    expect(dialog.getByText(/every other key of it is refused from the next call on/)).toBeDefined();
    await user.dblClick(dialog.getByRole('button', { name: 'Rotate' }));
    await user.keyboard('{Escape}');
    letGo();
    expect(await screen.findByText(KEY)).toBeDefined();
    expect(changes()).toEqual([['POST /api/users/id-of-ada/rotate-key', {}]]);
  });
});
