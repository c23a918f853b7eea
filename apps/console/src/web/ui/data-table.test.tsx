import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useList } from '../api/list.ts';
import { given, held, listed, reads, refused, unreachable } from '../testing/api.ts';
import { onPhone, show } from '../testing/show.tsx';
import { DataTable, type DataTableProps, useSelection } from './data-table.tsx';

interface Thing {
  readonly id: string;
  readonly cost: number;
}

const things = (...ids: readonly string[]): readonly Thing[] => ids.map((id, at) => ({ id, cost: at * 10 }));
const PATH = 'GET /api/things';

function Things(props: Partial<DataTableProps<Thing>>) {
  const list = useList<Thing>('/api/things', 'things', {}, '');
  return (
    <DataTable
      label="Things"
      list={list}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ id }) => id, sort: 'name' },
        { title: 'Cost', cell: ({ cost }) => cost, align: 'right', sort: 'cost' },
        { title: '', cell: ({ id }) => <button type="button">Edit {id}</button>, align: 'actions' },
      ]}
      empty="Declare the first thing."
      usual="name"
      {...props}
    />
  );
}

function Marked() {
  const selection = useSelection<Thing>(
    ({ id }) => id,
    ({ id }) => id,
  );
  return (
    <>
      <p>{`Marked: ${selection.rows.map(({ id }) => id).join(' ')}`}</p>
      <Things selection={selection} />
    </>
  );
}

/** The texts of the first cells, from above. */
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

describe('a table', () => {
  it('says that it is loading, then shows its rows and no pages where all fit on one', async () => {
    const letGo = held(PATH, listed('things', things('one', 'two')));
    show(<Things />);
    expect(screen.getByRole('status', { name: 'Things: loading' }).getAttribute('aria-busy')).toBe('true');
    letGo();
    expect(await screen.findByRole('table', { name: 'Things' })).toBeDefined();
    expect(names()).toEqual(['one', 'two']);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('says what to do first where there is nothing', async () => {
    given(PATH, listed('things', []));
    show(<Things />);
    expect(await screen.findByText('Declare the first thing.')).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows markup in a name as the text that it is', async () => {
    given(PATH, listed('things', things('<img src=x onerror=alert(1)>')));
    show(<Things />);
    expect((await screen.findAllByRole('cell'))[0]?.textContent).toBe('<img src=x onerror=alert(1)>');
    expect(document.querySelector('img')).toBeNull();
  });

  it('tells a reader without the right that no role of theirs reads it, and offers no second try', async () => {
    given(PATH, refused(403, 'Your roles do not permit console:lire.'));
    show(<Things />);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
    expect(reads('/api/things')).toHaveLength(1);
  });

  it('asks to sign in again in a new tab once the session is over', async () => {
    given(PATH, refused(401, 'Your session is over.'));
    show(<Things />, '#things?page=2');
    const link = await screen.findByRole('link', { name: 'Sign in, in a new tab' });
    expect(link.getAttribute('href')).toBe('/auth/login?to=%2F%23things%3Fpage%3D2');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(screen.getByRole('alert').textContent).toContain('Your session is over.');
  });

  it('says that the database does not answer, and reads again on request', async () => {
    given(PATH, refused(503, 'No decision could be made.', { down: 'database' }));
    const { user } = show(<Things />);
    const alert = await screen.findByRole('alert', { name: "The console's database does not answer" });
    expect(alert.textContent).toContain('Nothing can be read or changed until it answers.');
    expect(alert.textContent).toContain('It is tried again every 5 seconds.');
    given(PATH, listed('things', things('one')));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps the rows that it has when a later read fails, and says of when they are', async () => {
    given(PATH, listed('things', things('one', 'two')));
    const { queries } = show(<Things />);
    await screen.findByRole('table');
    given(PATH, unreachable);
    await queries.invalidateQueries();
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /The console cannot be reached\..* The data below was read at \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC\./,
    );
    expect(names()).toEqual(['one', 'two']);
  });
});

describe('the heading of a column', () => {
  const sorts = () => screen.getAllByRole('columnheader').map((heading) => heading.getAttribute('aria-sort'));

  it('sorts by it, then the other way, then as usual; numbers begin with the greatest', async () => {
    given(PATH, listed('things', things('one')));
    const { user } = show(<Things />);
    await screen.findByRole('table');
    expect(sorts()).toEqual(['ascending', 'none', null]);
    for (const [column, address] of [
      ['Cost', '#?sort=-cost'],
      ['Cost', '#?sort=cost'],
      ['Name', ''],
      ['Name', '#?sort=-name'],
    ] as const) {
      await user.click(screen.getByRole('button', { name: column }));
      expect(location.hash).toBe(address);
    }
    expect(reads('/api/things').map(({ sort }) => sort)).toEqual([undefined, '-cost', 'cost', '-name']);
    expect(sorts()).toEqual(['descending', 'none', null]);
  });
});

describe('marks', () => {
  it('mark one row or all of a page, stay while another page is shown, and can be taken back', async () => {
    given(PATH, ({ query }) =>
      query.cursor === 'second'
        ? listed('things', things('three'), { previous: 'first' })
        : listed('things', things('one', 'two'), { next: 'second' }),
    );
    const { user } = show(<Marked />);
    const all = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all Things of this page' });
    await user.click(await screen.findByRole('checkbox', { name: 'Select two' }));
    expect(all().indeterminate).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select three' }));
    expect(all().checked).toBe(true);
    expect(screen.getByText('Marked: two three')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select one' }));
    expect(all().checked).toBe(true);
    await user.click(all());
    expect(screen.getByText('Marked: three')).toBeDefined();
  });
});

it('has the actions of a row behind one button on a phone, which a click beside them or Escape closes', async () => {
  onPhone();
  given(PATH, listed('things', things('one', 'two')));
  const { user } = show(<Things />);
  const actions = () => screen.queryByRole('button', { name: 'Edit one' });
  for (const leave of [() => user.keyboard('{Escape}'), () => user.click(screen.getByText('two'))]) {
    await user.click(await screen.findByRole('button', { name: 'Actions of one' }));
    await user.click(await screen.findByRole('button', { name: 'Edit one' }));
    expect(actions()).not.toBeNull();
    await leave();
    await waitFor(() => expect(actions()).toBeNull());
  }
});
