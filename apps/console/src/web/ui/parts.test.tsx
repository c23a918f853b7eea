import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/request.ts';
import { changes, given, held, refused } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { InlineSelect, InlineSwitch, Parts } from './parts.tsx';
import { ExportLinks } from './search-field.tsx';
import { Section } from './section.tsx';
import { useDraft } from './use-editing.ts';

const PARTS = {
  first: { label: 'First part', part: () => <p>First is shown</p> },
  second: { label: 'Second part', part: () => <p>Second is shown</p> },
};

describe('a tab of several parts', () => {
  const parts = <Parts of="things" label="What to read" parts={PARTS} />;

  it.each([
    ['#things', 'First is shown'],
    ['#things/second?page=2', 'Second is shown'],
    ['#things/unknown', 'First is shown'],
    ['#things/toString', 'First is shown'],
  ])('%s shows the part of the address, or the first', (address, text) => {
    show(parts, address);
    expect(screen.getByText(text)).toBeDefined();
  });

  it('goes to another part, keeping of the address the project alone; back returns', async () => {
    const { user } = show(parts, '#things?project=apollo&page=2');
    await user.click(screen.getByRole('radio', { name: 'Second part' }));
    expect(location.hash).toBe('#things/second?project=apollo');
    expect(screen.getByText('Second is shown')).toBeDefined();
    history.back();
    expect(await screen.findByText('First is shown')).toBeDefined();
    expect(location.hash).toBe('#things?project=apollo&page=2');
  });
});

describe('a section', () => {
  const section = (error: ApiError | null) => (
    <Section
      title="Plans"
      about="What one may spend."
      actions={<button type="button">Create</button>}
      filters={<input />}
      reading={{ error }}
    >
      <p>Content</p>
    </Section>
  );

  it('has a heading, and its actions and filters', () => {
    show(section(null));
    expect(screen.getByRole('region', { name: 'Plans' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 2, name: 'Plans' })).toBeDefined();
    expect([screen.queryByRole('button'), screen.queryByRole('textbox')]).not.toContain(null);
  });

  it('offers nothing to do to a reader without the right, but does after another failure', () => {
    const { again } = show(section(new ApiError(403, 'Not permitted.')));
    expect([screen.queryByRole('button'), screen.queryByRole('textbox')]).toEqual([null, null]);
    expect(screen.getByText('Content')).toBeDefined();
    again(section(new ApiError(503, 'Down.')));
    expect(screen.getByRole('button', { name: 'Create' })).toBeDefined();
  });
});

describe('an export', () => {
  it('has all rows that the filters choose, as CSV or as JSON lines', async () => {
    const { user } = show(
      <ExportLinks path="/api/audit/decisions" filters={{ subject: 'a&b', outcome: '', since: undefined }} />,
    );
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const link = (name: string) => screen.findByRole('menuitem', { name }).then((item) => item.getAttribute('href'));
    expect(await link('CSV')).toBe('/api/audit/decisions?subject=a%26b&format=csv');
    expect(await link('JSON Lines')).toBe('/api/audit/decisions?subject=a%26b&format=jsonl');
    expect((await screen.findByRole('menuitem', { name: 'CSV' })).hasAttribute('download')).toBe(true);
  });
});

describe('an unsent draft', () => {
  function Draft({ name }: { name: string }) {
    const [draft, setDraft] = useDraft<string>(name);
    return (
      <>
        <input aria-label={name} value={draft ?? ''} onChange={(event) => setDraft(event.target.value)} />
        <button type="button" onClick={() => setDraft(null)}>
          Send {name}
        </button>
        <button type="button" onClick={() => setDraft((now) => `${now ?? ''}!`)}>
          Add to {name}
        </button>
      </>
    );
  }
  /** Whether the browser asks before it leaves the page. */
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

  it('outlives a visit of another tab, and the browser asks before it is lost', async () => {
    const { user, again } = show(<Draft name="policy" />);
    expect(asks()).toBe(false);
    await user.type(field('policy'), 'forbid');
    expect(asks()).toBe(true);
    again(<p>Another tab</p>);
    expect(asks()).toBe(true);
    again(
      <>
        <Draft name="policy" />
        <Draft name="document" />
      </>,
    );
    expect([field('policy').value, field('document').value]).toEqual(['forbid', '']);
    await user.click(screen.getByRole('button', { name: 'Add to policy' }));
    await user.click(screen.getByRole('button', { name: 'Add to document' }));
    expect([field('policy').value, field('document').value]).toEqual(['forbid!', '!']);
    await user.click(screen.getByRole('button', { name: 'Send policy' }));
    expect([field('policy').value, asks()]).toEqual(['', true]);
    await user.click(screen.getByRole('button', { name: 'Send document' }));
    expect(asks()).toBe(false);
  });
});

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
