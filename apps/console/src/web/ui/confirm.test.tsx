import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useList } from '../api/list.ts';
import { changes, EMPTY, given, held, listed, refused } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { Confirm } from './confirm.tsx';
import { DataTable } from './data-table.tsx';

interface Row {
  readonly id: string;
}

function Things({ reason }: { reason?: string }) {
  const list = useList<Row>('/api/things', 'things', {}, '');
  return (
    <DataTable
      label="Things"
      list={list}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Name', cell: ({ id }) => id },
        {
          title: 'Actions',
          align: 'actions',
          cell: ({ id }) => (
            <Confirm
              label="Delete"
              title={`Delete thing ${id}`}
              consequence="It is removed for good."
              {...(reason === undefined ? {} : { reason })}
              change={(why) => ({
                method: 'DELETE',
                path: `/api/things/${id}`,
                ...(why === '' ? {} : { body: { reason: why } }),
                done: `Thing ${id} deleted.`,
              })}
            />
          ),
        },
      ]}
      empty="Nothing is left."
    />
  );
}

const ROWS = listed('things', [{ id: 'one' }, { id: 'two' }]);
const trigger = (id: string) => screen.findByRole('button', { name: `Delete: Delete thing ${id}` });
const sure = () => screen.findByRole('button', { name: 'Delete' });

async function asked(page = <Things />) {
  given('GET /api/things', ROWS);
  const { user } = show(page);
  await user.click(await trigger('one'));
  await screen.findByRole('dialog', { name: 'Delete thing one' });
  return user;
}

describe('a button that destroys', () => {
  it('says what will happen first, and does nothing if it is left', async () => {
    const user = await asked();
    expect(screen.getByText('It is removed for good.')).toBeDefined();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
    await waitFor(async () => expect(document.activeElement).toBe(await trigger('one')));
  });

  it('does it once, closes, and the row is gone at once', async () => {
    given('DELETE /api/things/one', EMPTY);
    const user = await asked();
    const letGo = held('GET /api/things', listed('things', [{ id: 'two' }]));
    await user.dblClick(await sure());
    expect(await screen.findByText('Thing one deleted.')).toBeDefined();
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(changes()).toEqual([['DELETE /api/things/one']]);
    letGo();
  });

  it('leaves the keyboard in the table whose row was removed', async () => {
    given('DELETE /api/things/one', EMPTY);
    const user = await asked();
    given('GET /api/things', listed('things', [{ id: 'two' }]));
    await user.click(await sure());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Things' })));
  });

  it('shows a refusal in its dialog, which stays; the row stays too', async () => {
    given('DELETE /api/things/one', refused(409, 'An account still has this plan.'));
    const user = await asked();
    await user.click(await sure());
    expect((await screen.findByRole('alert')).textContent).toBe('An account still has this plan.');
    expect(screen.getByText('one')).toBeDefined();
    given('DELETE /api/things/one', EMPTY);
    given('GET /api/things', listed('things', []));
    await user.click(await sure());
    expect(await screen.findByText('Nothing is left.')).toBeDefined();
  });

  it('deletes what another administrator deleted before with their answer: there is none', async () => {
    given('DELETE /api/things/one', () => {
      given('GET /api/things', listed('things', [{ id: 'two' }]));
      return refused(404, 'There is no such thing.')();
    });
    const user = await asked();
    await user.click(await sure());
    await waitFor(() => expect(screen.getByText('There is no such thing.')).toBeDefined());
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  });
});

describe('where a reason must be given', () => {
  it('the keyboard is in its field, and nothing is sent without one', async () => {
    given('DELETE /api/things/one', EMPTY);
    const user = await asked(<Things reason="Why?" />);
    const why = screen.getByRole<HTMLInputElement>('textbox', { name: 'Why?' });
    await waitFor(() => expect(document.activeElement).toBe(why));
    expect([why.required, why.maxLength]).toEqual([true, 300]);
    await user.keyboard('left the company{Enter}');
    await screen.findByText('Thing one deleted.');
    expect(changes()).toEqual([['DELETE /api/things/one', { reason: 'left the company' }]]);
  });
});
