import { hasUnseen } from '@gateway/contract/legible';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { given, held, listed, reads, refused } from '../../testing/api.ts';
import { decision } from '../../testing/entries.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { Decisions } from './decisions.tsx';

const PATH = '/api/audit/decisions';

beforeEach(() => given(`GET ${PATH}`, listed('decisions', [decision()])));

async function opened(at = '#audit/decisions') {
  const { user } = show(<Decisions />, at);
  await screen.findByRole('table', { name: 'Decisions' });
  return user;
}
const rows = () => cellsOf('Decisions');
const asked = () => reads(PATH).at(-1);
const hrefOf = (name: string) => decodeURIComponent(screen.getByRole('link', { name }).getAttribute('href') ?? '');

describe('the decisions', () => {
  it('are listed with who, what, outcome and reason; a caller without a name is a dash', async () => {
    given(
      `GET ${PATH}`,
      listed('decisions', [
        decision({ sequence: 8, id: 'b', subject: null, outcome: 'refused', reason: 'key-unknown', session: 's-1' }),
        decision(),
      ]),
    );
    await opened();
    expect(rows()).toEqual([
      ['8', '31 Jan 2026, 08:00:00', '–', 'endpoint:chat', 'refused', 'unknown key', 's-1', 'Details'],
      ['7', '31 Jan 2026, 08:00:00', 'ada', 'endpoint:chat', 'granted', 'by role', '–', 'Details'],
    ]);
    expect([hrefOf('ada'), hrefOf('s-1')]).toEqual(['#audit/decisions?subject=ada', '#audit/decisions?session=s-1']);
  });

  it('say where the first entry comes from, or that nothing matches and how to see all', async () => {
    given(`GET ${PATH}`, listed('decisions', []));
    const { user, unmount } = show(<Decisions />, '#audit/decisions');
    expect(await screen.findByText('No decision yet')).toBeDefined();
    unmount();
    show(<Decisions />, '#audit/decisions?subject=zoe&outcome=refused');
    expect(await screen.findByText('Nothing matches these filters.')).toBeDefined();
    given(`GET ${PATH}`, listed('decisions', [decision()]));
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await screen.findByRole('table');
    expect([location.hash, asked()]).toEqual(['#audit/decisions', { limit: '50' }]);
  });

  it('that a person may not read have neither filters nor files', async () => {
    given(`GET ${PATH}`, refused(403, 'You hold no role that carries journal:lire here.'));
    show(<Decisions />);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('search')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });

  it('of a large log are read page by page, and the rows before stay until the next have come', async () => {
    given(`GET ${PATH}`, listed('decisions', [decision({ sequence: 900 })], { next: 'older' }));
    const user = await opened();
    const letGo = held(`GET ${PATH}`, listed('decisions', [decision({ sequence: 850 })], { previous: 'newer' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(rows()[0]?.[0]).toBe('900');
    letGo();
    await waitFor(() => expect(rows()[0]?.[0]).toBe('850'));
    expect([location.hash, asked()?.['cursor']]).toEqual(['#audit/decisions?page=2&at=older', 'older']);
  });
});

describe('the filters', () => {
  it('come from the address, are shown in their fields, and are asked for', async () => {
    await opened('#audit/decisions?subject=ad&outcome=refused&from=2026-01-31T08%3A00%3A00Z&reason=role-missing');
    expect(asked()).toEqual({
      limit: '50',
      subjectPart: 'ad',
      outcome: 'refused',
      from: '2026-01-31T08:00:00Z',
      reason: 'role-missing',
    });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Subject' }).value).toBe('ad');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Outcome' }).value).toBe('refused');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Reason' }).value).toBe('no role');
    expect(screen.getByLabelText<HTMLInputElement>('From (UTC)').value).toBe('2026-01-31T08:00');
  });

  it.each([
    'outcome=maybe',
    'from=yesterday',
    'until=2026-02-30T00%3A00%3A00Z',
    'sequence=x',
    `subject=gwk_${'0'.repeat(48)}`,
  ])('of an address that was written by hand are left out where they mean nothing: %s', async (query) => {
    await opened(`#audit/decisions?${query}`);
    expect(asked()).toEqual({ limit: '50' });
  });

  it('are set one after the other, and a change begins at the first page', async () => {
    const user = await opened('#audit/decisions?page=3&at=cursor');
    await fill(user, screen.getByRole('textbox', { name: 'Session' }), 's-1');
    await waitFor(() => expect(location.hash).toBe('#audit/decisions?session=s-1'));
    await user.click(screen.getByRole('combobox', { name: 'Outcome' }));
    await user.click(await screen.findByRole('option', { name: 'refused' }));
    expect(location.hash).toBe('#audit/decisions?session=s-1&outcome=refused');
    await waitFor(() => expect(asked()).toEqual({ limit: '50', session: 's-1', outcome: 'refused' }));
  });

  it('have reasons in English, which the address has by identifier, also one of another version', async () => {
    const user = await opened('#audit/decisions?reason=of-another-version');
    const reason = screen.getByRole<HTMLInputElement>('combobox', { name: 'Reason' });
    expect([reason.value, asked()?.['reason']]).toEqual(['of-another-version', 'of-another-version']);
    await user.click(reason);
    await fill(user, reason, 'unknown');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['unknown key', 'unknown endpoint']);
    await fill(user, reason, 'key-unknown');
    await user.click(await screen.findByRole('option', { name: 'unknown key' }));
    await waitFor(() => expect(asked()).toEqual({ limit: '50', reason: 'key-unknown' }));
    expect(location.hash).toBe('#audit/decisions?reason=key-unknown');
  });

  it('of a period take minutes in UTC, and an emptied bound away', async () => {
    const user = await opened('#audit/decisions?until=2026-01-31T08%3A00%3A00Z');
    const from = screen.getByLabelText<HTMLInputElement>('From (UTC)');
    await fill(user, from, '2026-01-30T07:15');
    await waitFor(() => expect(asked()).toMatchObject({ from: '2026-01-30T07:15:00Z', until: '2026-01-31T08:00:00Z' }));
    await user.clear(screen.getByLabelText('Until (UTC)'));
    await waitFor(() => expect(asked()).toEqual({ limit: '50', from: '2026-01-30T07:15:00Z' }));
  });

  it('choose the files too, under the names of the API', async () => {
    const user = await opened('#audit/decisions?subject=ad&resource=chat&outcome=refused');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const files = await screen.findAllByRole('menuitem');
    expect(files.map((file) => [file.textContent, file.getAttribute('href')])).toEqual([
      ['CSV', `${PATH}?subjectPart=ad&resourcePart=chat&outcome=refused&format=csv`],
      ['JSON Lines', `${PATH}?subjectPart=ad&resourcePart=chat&outcome=refused&format=jsonl`],
    ]);
    expect(files.every((file) => file.hasAttribute('download'))).toBe(true);
  });

  it('have ready ones for what auditors ask most, from midnight UTC on', async () => {
    const before = new Date().toISOString().slice(0, 10);
    await opened();
    const after = new Date().toISOString().slice(0, 10);
    const presets = within(screen.getByRole('group', { name: 'Presets' })).getAllByRole('link');
    expect(presets.map(({ textContent }) => textContent)).toEqual([
      'Refused today',
      'Today',
      'Secrets found',
      'Who changed what',
    ]);
    expect([before, after].map((day) => `#audit/decisions?outcome=refused&from=${day}T00:00:00Z`)).toContain(
      hrefOf('Refused today'),
    );
  });
});

describe('a link to one entry', () => {
  it('shows it alone, with the way to all', async () => {
    const user = await opened('#audit/decisions?sequence=7');
    expect(asked()).toEqual({ limit: '50', sequence: '7' });
    await user.click(screen.getByRole('button', { name: 'One entry: show all' }));
    await waitFor(() => expect(asked()).toEqual({ limit: '50' }));
    expect(screen.queryByRole('button', { name: 'One entry: show all' })).toBeNull();
  });
});

describe('the details of an entry', () => {
  const details = async (entry: Parameters<typeof decision>[0]) => {
    given(`GET ${PATH}`, listed('decisions', [decision(entry)]));
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Details: Decision 7' }));
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Decision 7' })) };
  };

  it('have every member as recorded, with roles, permission and reason in English', async () => {
    const { dialog } = await details({
      outcome: 'refused',
      reason: 'role-missing',
      permission: 'journal:lire',
      roles: [],
    });
    const members = Object.fromEntries(
      dialog
        .getAllByRole('row')
        .map((row) => [within(row).getByRole('rowheader').textContent, within(row).getByRole('cell').textContent]),
    );
    expect(members).toMatchObject({ sequence: '7', subject: 'ada', roles: 'none', session: 'none', previous: '00' });
    expect(members['permission']).toMatch(/journal:lire$/);
    expect(members['reason']).toBe('no role role-missing');
  });

  it('have a link to copy, which leads to this entry alone', async () => {
    const { user, dialog } = await details({ outcome: 'refused' });
    await user.click(dialog.getByRole('button', { name: 'Copy a link to this entry' }));
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/#audit/decisions?sequence=7`);
  });

  it('show text that would turn the line around, or hide, as marks', async () => {
    const { dialog } = await details({ outcome: 'refused', subject: 'ada\u202e', requestId: 'a\u0000b' });
    const texts = dialog.getAllByRole('cell').map(({ textContent }) => textContent);
    expect(texts.filter((text) => hasUnseen(text))).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(['ada\\u202e', 'a\\u0000b']));
  });

  it('close by Escape, and give the keyboard back', async () => {
    const { user } = await details({ outcome: 'refused' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Details: Decision 7' })),
    );
  });
});
