import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { text, useSearchParams } from '../route/use-search-params.ts';
import { given, held, listed, reads, refused } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { useChoices, useList } from './list.ts';

interface Row {
  readonly id: string;
}

const PATH = 'GET /api/things';
const rows = (from: number, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, n) => ({ id: `row ${from + n}` }));

/** A list of 120 rows, in pages of the size that is asked for: the cursor is the number of a page's first row. Few are drawn. */
const LONG = ({ query: { limit = '', cursor = '1' } }: { query: Readonly<Record<string, string>> }) => {
  const [from, size] = [Number(cursor), Number(limit)];
  const next = from + size > 120 ? {} : { next: String(from + size) };
  const previous = from === 1 ? {} : { previous: String(Math.max(1, from - size)) };
  return listed('things', rows(from, 2), { ...next, ...previous });
};

function Things({ name }: { name?: string }) {
  const { values, set } = useSearchParams({ search: text });
  const list = useList<Row>('/api/things', 'things', { search: values.search }, name);
  return (
    <>
      <button type="button" onClick={() => set('search', 'other')}>
        Seek another
      </button>
      <DataTable
        label={`Things${name ? ` ${name}` : ''}`}
        list={list}
        rowKey={({ id }) => id}
        columns={[{ title: 'Name', cell: ({ id }) => id, sort: 'name' }]}
        empty="Nothing."
      />
    </>
  );
}

/** Which rows the page says that it shows. */
const place = () => screen.findByText(/^Rows \d|others before them$/).then(({ textContent }) => textContent);
const press = (name: string) => screen.getByRole('button', { name });
const isBusy = (label: string) => screen.getByRole('table', { name: label }).closest('[aria-busy=true]') !== null;

describe('a list of several pages', () => {
  it('shows a page at a time, each with its address', async () => {
    given(PATH, LONG);
    const { user } = show(<Things name="" />);
    expect(await place()).toBe('Rows 1 to 2');
    expect(press('Previous page').hasAttribute('disabled')).toBe(true);
    await user.click(press('Next page'));
    await screen.findByText('Rows 51 to 52');
    expect(location.hash).toBe('#?page=2&at=51');
    await user.click(press('Next page'));
    await screen.findByText('Rows 101 to 102');
    expect(press('Next page').hasAttribute('disabled')).toBe(true);
    await user.click(press('Previous page'));
    expect(await screen.findByText('Rows 51 to 52')).toBeDefined();
    history.back();
    expect(await screen.findByText('Rows 101 to 102')).toBeDefined();
  });

  it('keeps a page on the screen until the next one is there, and takes no second step meanwhile', async () => {
    given(PATH, LONG);
    const { user } = show(<Things name="" />);
    await place();
    const letGo = held(PATH, LONG);
    await user.click(press('Next page'));
    expect(isBusy('Things')).toBe(true);
    expect(screen.getByText('row 1')).toBeDefined();
    expect(screen.getByText('Rows 1 to 2')).toBeDefined();
    await user.click(press('Next page'));
    letGo();
    await screen.findByText('Rows 51 to 52');
    expect(location.hash).toBe('#?page=2&at=51');
    expect(isBusy('Things')).toBe(false);
  });

  it('shows the first page, without a cursor, after a step back to the beginning', async () => {
    given(PATH, LONG);
    const { user } = show(<Things name="" />, '#?page=2&at=51');
    await screen.findByText('Rows 51 to 52');
    await user.click(press('Previous page'));
    await screen.findByText('Rows 1 to 2');
    await waitFor(() => expect(location.hash).toBe(''));
    expect(reads('/api/things').map(({ cursor }) => cursor)).toEqual(['51', '1', undefined]);
  });

  it('has as many rows on a page as chosen, and begins again', async () => {
    given(PATH, LONG);
    const { user } = show(<Things name="" />, '#?page=2&at=51');
    await screen.findByText('Rows 51 to 52');
    await user.click(screen.getByRole('combobox', { name: 'Rows per page of Things' }));
    await user.click(await screen.findByRole('option', { name: '100 per page' }));
    expect(await screen.findByText('Rows 1 to 2')).toBeDefined();
    expect(location.hash).toBe('#?rows=100');
  });

  it('begins at the first page again where it is sorted or searched otherwise', async () => {
    given(PATH, LONG);
    const { user } = show(<Things name="" />, '#?page=2&at=51');
    await screen.findByText('Rows 51 to 52');
    await user.click(press('Name'));
    await screen.findByText('Rows 1 to 2');
    expect(location.hash).toBe('#?sort=name');
    await user.click(press('Next page'));
    await screen.findByText('Rows 51 to 52');
    await user.click(press('Seek another'));
    await screen.findByText('Rows 1 to 2');
    expect(location.hash).toBe('#?sort=name&search=other');
    expect(reads('/api/things').at(-1)).toEqual({ search: 'other', limit: '50', sort: 'name' });
  });

  it('leads back from a page whose rows were all deleted meanwhile', async () => {
    given(PATH, ({ query }) => (query['cursor'] === '51' ? listed('things', [], { previous: '1' }) : LONG({ query })));
    const { user } = show(<Things name="" />, '#?page=2&at=51');
    await screen.findByText('Nothing is left on this page of the list.');
    await user.click(press('To the previous page'));
    expect(await screen.findByText('Rows 1 to 2')).toBeDefined();
  });
});

describe('an address', () => {
  it('opens the page that it names', async () => {
    given(PATH, LONG);
    show(<Things name="" />, '#?rows=100&page=2&at=101&sort=-name');
    expect(await place()).toBe('Rows 101 to 102');
    expect(reads('/api/things')).toEqual([{ limit: '100', sort: '-name', cursor: '101' }]);
  });

  it.each([
    ['an unknown number of rows', '#?rows=7', { limit: '50' }],
    ['more rows than there are at once', '#?rows=5000', { limit: '50' }],
    ['an order that is no name', '#?sort=a%20b', { limit: '50' }],
    ['a page but not its beginning', '#?page=9', { limit: '50' }],
  ])('with %s opens the first page', async (_, address, read) => {
    given(PATH, LONG);
    show(<Things name="" />, address);
    expect(await place()).toBe('Rows 1 to 2');
    expect(reads('/api/things')).toEqual([read]);
  });

  it.each(['#?at=51', '#?page=0&at=51', '#?page=x&at=51', '#?page=1&at=51'])(
    'that does not say how many pages are before it (%s) counts its rows only',
    async (address) => {
      given(PATH, LONG);
      show(<Things name="" />, address);
      expect(await place()).toBe('2 rows, with others before them');
    },
  );

  it('whose beginning was cut opens the first page, without a step in the history', async () => {
    given(PATH, ({ query }) =>
      query['cursor'] === undefined
        ? LONG({ query })
        : refused(400, 'Bad cursor.', { fields: { cursor: 'is not one' } })(),
    );
    const before = history.length;
    show(<Things name="" />, '#?page=4&at=cut');
    expect(await screen.findByText('Rows 1 to 2')).toBeDefined();
    expect([location.hash, history.length - before]).toEqual(['', 0]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('with an order that the list does not have shows the usual one', async () => {
    given(PATH, ({ query }) =>
      query['sort'] === undefined ? LONG({ query }) : refused(400, 'Bad sort.', { fields: { sort: 'is not one' } })(),
    );
    show(<Things name="" />, '#?sort=colour');
    expect(await screen.findByText('Rows 1 to 2')).toBeDefined();
    expect(location.hash).toBe('');
  });
});

it('keeps two lists of one page apart', async () => {
  given(PATH, LONG);
  const { user } = show(
    <>
      <Things name="left" />
      <Things name="right" />
    </>,
  );
  const pages = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  await waitFor(() => expect(pages()).toEqual(['Rows 1 to 2', 'Rows 1 to 2']));
  const [, right] = screen.getAllByRole('button', { name: 'Next page' });
  if (right !== undefined) await user.click(right);
  await waitFor(() => expect(pages()).toEqual(['Rows 1 to 2', 'Rows 51 to 52']));
  expect(location.hash).toBe('#?right.page=2&right.at=51');
});

it('leaves the address alone in a dialog, and begins again with another search', async () => {
  given(PATH, LONG);
  const { user } = show(<Things />);
  await place();
  await user.click(press('Next page'));
  await screen.findByText('Rows 51 to 52');
  expect(location.hash).toBe('');
  await user.click(press('Name'));
  await screen.findByText('Rows 1 to 2');
  await user.click(press('Next page'));
  await screen.findByText('Rows 51 to 52');
  await user.click(press('Seek another'));
  await screen.findByText('Rows 1 to 2');
  expect(reads('/api/things').at(-1)).toEqual({ search: 'other', limit: '50', sort: 'name' });
});

describe('the options of a choice', () => {
  function Options() {
    const { rows: found, query } = useChoices<Row>('/api/things', 'things');
    return <p>{query.error?.message ?? `${found.length} options`}</p>;
  }

  it('are all of them, read page after page', async () => {
    given(PATH, ({ query: { cursor = '0' } }) =>
      listed('things', rows(Number(cursor), 500), cursor === '1000' ? {} : { next: String(Number(cursor) + 500) }),
    );
    show(<Options />);
    expect(await screen.findByText('1500 options')).toBeDefined();
    expect(reads('/api/things')).toEqual([
      { limit: '500' },
      { limit: '500', cursor: '500' },
      { limit: '500', cursor: '1000' },
    ]);
  });

  it('are not shown in part where a page of them cannot be read', async () => {
    given(PATH, ({ query }) =>
      query['cursor'] === undefined
        ? listed('things', rows(0, 500), { next: '500' })
        : refused(403, 'Not permitted.')(),
    );
    show(<Options />);
    expect(await screen.findByText('Not permitted.')).toBeDefined();
  });
});
