import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../testing/show.tsx';
import { Details, type DetailsProps } from './details.tsx';

async function opened(entry: object, more: Partial<DetailsProps> = {}) {
  const { user } = show(<Details title="Decision 7" entry={entry} {...more} />, '#audit/decisions?page=2');
  await user.click(screen.getByRole('button'));
  return { user, drawer: await screen.findByRole('dialog', { name: 'Decision 7' }) };
}

/** What stands beside each name. */
const members = (drawer: HTMLElement) =>
  Object.fromEntries(
    within(drawer)
      .getAllByRole('row')
      .map((row) => [row.querySelector('th')?.textContent, row.querySelector('td')?.textContent]),
  );

describe('the details of an entry', () => {
  it('show every member as it was recorded; what is absent says so', async () => {
    const { drawer } = await opened({
      sequence: 7,
      granted: false,
      subject: 'ada',
      session: null,
      detail: undefined,
      groups: [],
      aliases: ['a', 'b'],
      zero: 0,
      empty: '',
    });
    expect(members(drawer)).toEqual({
      sequence: '7',
      granted: 'false',
      subject: 'ada',
      session: 'none',
      detail: 'none',
      groups: 'none',
      aliases: 'a, b',
      zero: '0',
      empty: '',
    });
  });

  it('show objects and lists of them as JSON, over several lines', async () => {
    const { drawer } = await opened({ newValue: { plan: 'team', caps: [1, 2] }, mixed: ['a', 1] });
    expect(members(drawer)).toEqual({
      newValue: '{\n  "plan": "team",\n  "caps": [\n    1,\n    2\n  ]\n}',
      mixed: '[\n  "a",\n  1\n]',
    });
  });

  it('write out characters that cannot be seen, wherever they are', async () => {
    const spoofed = 'ada\u202e\u200b';
    const { drawer } = await opened({ subject: spoofed, list: [spoofed], value: { name: spoofed } });
    expect(members(drawer)).toEqual({
      subject: 'ada\\u202e\\u200b',
      list: 'ada\\u202e\\u200b',
      value: '{\n  "name": "ada\\u202e\\u200b"\n}',
    });
  });

  it('name roles and permissions in English, beside what the log has', async () => {
    const { drawer } = await opened({
      permission: 'inference:appeler',
      role: 'auditeur',
      roles: ['utilisateur-standard', 'of-a-later-version'],
    });
    expect(members(drawer)).toEqual({
      permission: 'Call endpoints inference:appeler',
      role: 'Auditor auditeur',
      roles: 'User utilisateur-standardof-a-later-version ',
    });
  });

  it.each([
    [
      { role: null, roles: [] },
      { role: 'none', roles: 'none' },
    ],
    [
      { permission: 7, roles: [1] },
      { permission: '7', roles: '[\n  1\n]' },
    ],
  ])('do not depend on what should be a name: %j', async (entry, shown) => {
    const { drawer } = await opened(entry);
    expect(members(drawer)).toEqual(shown);
  });

  it('give a link to this entry alone, which a colleague can open', async () => {
    const { user, drawer } = await opened({ sequence: 7 }, { link: 'audit/decisions?sequence=7' });
    await user.click(within(drawer).getByRole('button', { name: 'Copy a link to this entry' }));
    await within(drawer).findByRole('button', { name: 'Copied' });
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/#audit/decisions?sequence=7`);
  });

  it('say what else there is to say, above the members', async () => {
    const { drawer } = await opened({ sequence: 7 }, { about: <p>The cause, and how to fix it.</p>, label: 'Explain' });
    expect(within(drawer).getByText('The cause, and how to fix it.')).toBeDefined();
    expect(within(drawer).queryByRole('button', { name: 'Copy a link to this entry' })).toBeNull();
  });
});
