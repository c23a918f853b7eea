import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changes, given, held, refused } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { InlineSelect, InlineSwitch } from './inline-controls.tsx';

const PATH = 'PATCH /api/things/1';
const change = (body: object) => ({ method: 'PATCH', path: '/api/things/1', body, done: 'Saved.' }) as const;

describe('a switch in a row', () => {
  const toggle = (checked: boolean) => (
    <InlineSwitch
      label="Active"
      checked={checked}
      onChange={() => undefined}
      change={() => change({ isActive: !checked })}
    />
  );
  const box = () => screen.getByRole<HTMLInputElement>('switch', { name: /^Active/ });

  it('changes the object once, however often it is pressed, and shows the state of the object only', async () => {
    const letGo = held(PATH, {});
    const { user } = show(toggle(true));
    await user.dblClick(box());
    expect([box().checked, box().getAttribute('aria-busy')]).toEqual([true, 'true']);
    letGo();
    await screen.findByText('Saved.');
    expect(changes()).toEqual([[PATH, { isActive: false }]]);
  });

  it('says beside it why it was refused', async () => {
    given(PATH, refused(403, 'You do not have the permission endpoints:administrer.'));
    const { user } = show(toggle(false));
    await user.click(box());
    const says = 'You do not have the permission “Manage endpoints”.';
    expect(await screen.findByText(says)).toBeDefined();
    expect(box().checked).toBe(false);
  });
});

describe('a choice in a row', () => {
  const few = [
    { value: '1', label: 'Team' },
    { value: '2', label: 'Trial' },
  ];
  const choice = (choices: typeof few, value: string | null, clearable = false) => (
    <InlineSelect
      aria-label="Plan"
      choices={choices}
      value={value}
      clearable={clearable}
      change={(plan) => change({ plan })}
    />
  );
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Plan' });

  it('changes the object when another one is chosen', async () => {
    given(PATH, {});
    const { user, again } = show(choice(few, '1'));
    expect(field().value).toBe('Team');
    await user.click(field());
    await user.click(await screen.findByRole('option', { name: 'Trial' }));
    await screen.findByText('Saved.');
    expect(changes()).toEqual([[PATH, { plan: '2' }]]);
    expect(field().value).toBe('Team');
    again(choice(few, '2'));
    expect(field().value).toBe('Trial');
  });

  it('sends nothing where the same one is chosen again', async () => {
    const { user } = show(choice(few, '1'));
    await user.click(field());
    await user.click(await screen.findByRole('option', { name: 'Team' }));
    expect(field().value).toBe('Team');
    expect(changes()).toEqual([]);
  });

  it('takes the choice away where that is possible: by its cross, or by choosing it again with the keyboard', async () => {
    given(PATH, {});
    const { user } = show(choice(few, '1', true));
    await user.click(document.querySelector('button') ?? document.body);
    await screen.findByText('Saved.');
    field().focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('option', { name: 'Team' });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(changes()).toHaveLength(2));
    expect(changes()).toEqual([
      [PATH, { plan: null }],
      [PATH, { plan: null }],
    ]);
  });

  it('shows a refusal and keeps the choice of the object', async () => {
    given(PATH, refused(409, 'The plan was deleted meanwhile.'));
    const { user } = show(choice(few, '1'));
    await user.click(field());
    await user.click(await screen.findByRole('option', { name: 'Trial' }));
    expect(await screen.findByText('The plan was deleted meanwhile.')).toBeDefined();
    expect(field().value).toBe('Team');
  });

  it('is found by typing where there are many, of which it draws a hundred', async () => {
    const many = Array.from({ length: 250 }, (_, n) => ({ value: String(n), label: `Plan ${n}` }));
    given(PATH, {});
    const { user } = show(choice(many, '7'));
    await user.click(field());
    await waitFor(() => expect(document.querySelectorAll('[role=option]')).toHaveLength(100));
    await user.clear(field());
    await user.type(field(), 'Plan 249');
    await waitFor(() => expect(document.querySelectorAll('[role=option]')).toHaveLength(1));
    await user.keyboard('{ArrowDown}{Enter}');
    await screen.findByText('Saved.');
    expect(changes()).toEqual([[PATH, { plan: '249' }]]);
    await user.clear(field());
    await user.type(field(), 'zzz');
    expect(await screen.findByText('Nothing matches')).toBeDefined();
  });
});
