import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changes, EMPTY, given, held, reads, refused, unreachable } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { Fault } from '../ui/fault.tsx';
import { type ChangeCall, useChange } from './change.tsx';
import { useRead } from './request.ts';

const RENAME: ChangeCall = { method: 'PATCH', path: '/api/things/1', body: { name: 'New' }, done: 'Renamed.' };
const REMOVE: ChangeCall = { method: 'DELETE', path: '/api/things/1', done: 'Deleted.' };

function Names() {
  const { data } = useRead<{ things: readonly { id: string; name: string }[] }>('/api/things');
  return <p>{`Names: ${data?.things.map(({ name }) => name).join(' ') ?? 'not read'}`}</p>;
}

function Sender({ change }: { change: ChangeCall }) {
  const { mutate, reset, isPending, error } = useChange();
  return (
    <>
      <button type="button" onClick={() => mutate(change)}>
        Send
      </button>
      <button type="button" onClick={reset}>
        Leave
      </button>
      {isPending && <p>Sending</p>}
      <Fault error={error} />
    </>
  );
}

/** A page whose sender can be taken away, as a dialog is. */
function Page({ change }: { change: ChangeCall }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <Names />
      {isOpen && <Sender change={change} />}
      <button type="button" onClick={() => setOpen(false)}>
        Take away
      </button>
    </>
  );
}

const list = (...names: readonly string[]) => ({ things: names.map((name, at) => ({ id: String(at + 1), name })) });

async function shown(change: ChangeCall) {
  const { user } = show(<Page change={change} />);
  await screen.findByText(/^Names: (?!not read)/);
  return { user, send: () => user.click(screen.getByRole('button', { name: 'Send' })) };
}

describe('a change', () => {
  it('is reported when it is done, and what it changed is read again', async () => {
    given('GET /api/things', list('Old', 'Other'));
    given('PATCH /api/things/1', () => {
      given('GET /api/things', list('New', 'Other'));
      return {};
    });
    const { send } = await shown(RENAME);
    await send();
    expect(await screen.findByText('Renamed.')).toBeDefined();
    expect(await screen.findByText('Names: New Other')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/things/1', { name: 'New' }]]);
  });

  it('is reported with what the answer says', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', { revision: 7 });
    const { send } = await shown({ ...RENAME, done: ({ revision }: { revision: number }) => `Revision ${revision}.` });
    await send();
    expect(await screen.findByText('Revision 7.')).toBeDefined();
  });

  it('is sent once, however often the button is pressed, and can be sent again after its answer', async () => {
    given('GET /api/things', list('Old'));
    const letGo = held('PATCH /api/things/1', {});
    const { user, send } = await shown(RENAME);
    await user.dblClick(screen.getByRole('button', { name: 'Send' }));
    await send();
    expect(changes()).toHaveLength(1);
    letGo();
    await screen.findByText('Renamed.');
    await waitFor(() => expect(screen.queryByText('Sending')).toBeNull());
    await send();
    await waitFor(() => expect(changes()).toHaveLength(2));
  });

  it('that deletes takes its row from the page before anything is read again', async () => {
    given('GET /api/things', list('Old', 'Other'));
    given('DELETE /api/things/1', EMPTY);
    const { send } = await shown(REMOVE);
    held('GET /api/things', list());
    await send();
    expect(await screen.findByText('Names: Other')).toBeDefined();
  });
});

describe('a change that is refused', () => {
  it('says so where it was asked, and shows what another administrator did meanwhile', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', () => {
      given('GET /api/things', list('Theirs'));
      return refused(409, 'There is a thing of this name.')();
    });
    const { send } = await shown(RENAME);
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain('There is a thing of this name.');
    expect(await screen.findByText('Names: Theirs')).toBeDefined();
    expect(screen.queryByText('Renamed.')).toBeNull();
  });

  it.each([
    ['without the right', refused(403, 'Your roles do not permit this.'), 'Not permitted'],
    ['after the session ended', refused(401, 'Your session is over.'), 'Sign in, in a new tab'],
    [
      'while the database is down',
      refused(503, 'Nothing was changed.', { down: 'database' }),
      "The console's database does not answer",
    ],
    ['while the console is down', unreachable, 'The console cannot be reached.'],
  ])('%s says it, and is not sent a second time by itself', async (_, answer, says) => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', answer);
    const { send } = await shown(RENAME);
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain(says);
    expect(changes()).toHaveLength(1);
  });

  it('is forgotten once the next one is sent', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', refused(409, 'There is a thing of this name.'));
    const { send } = await shown(RENAME);
    await send();
    await screen.findByRole('alert');
    given('PATCH /api/things/1', {});
    await waitFor(() => expect(reads('/api/things')).toHaveLength(2));
    await send();
    await screen.findByText('Renamed.');
    expect(screen.queryByText('There is a thing of this name.')).toBeNull();
  });

  it.each(['Leave', 'Take away'])('is notified where the reader pressed “%s” before', async (name) => {
    given('GET /api/things', list('Old'));
    const letGo = held('PATCH /api/things/1', refused(403, 'You do not have the permission plans:administrer.'));
    const { user, send } = await shown(RENAME);
    await send();
    await user.click(screen.getByRole('button', { name }));
    letGo();
    const says = 'You do not have the permission “Manage plans”.';
    expect((await screen.findByText(says)).closest('[role=alert]')).not.toBeNull();
    expect(screen.getAllByText(says)).toHaveLength(1);
  });
});

describe('a change that can be undone', () => {
  const BACK: ChangeCall = { method: 'PATCH', path: '/api/things/1', body: { name: 'Old' }, done: 'It is Old again.' };

  it('is undone on request, and its list read again', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', ({ body }) => {
      given('GET /api/things', list((body as { name: string }).name));
      return {};
    });
    const { user, send } = await shown({ ...RENAME, undo: BACK });
    await send();
    await screen.findByText('Names: New');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('It is Old again.')).toBeDefined();
    expect(await screen.findByText('Names: Old')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('is undone once, however often the button is pressed', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', {});
    const { user, send } = await shown({ ...RENAME, undo: BACK });
    await send();
    await user.tripleClick(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('It is Old again.');
    expect(changes().map(([, body]) => body)).toEqual([{ name: 'New' }, { name: 'Old' }]);
  });

  it('says why, if it can no longer be undone', async () => {
    given('GET /api/things', list('Old'));
    given('PATCH /api/things/1', {});
    const { user, send } = await shown({ ...RENAME, undo: BACK });
    await send();
    given('PATCH /api/things/1', refused(404, 'There is no such thing.'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('It was not undone: There is no such thing.')).toBeDefined();
  });

  it('follows the answer, which may leave nothing to undo', async () => {
    given('GET /api/things', list('Old'));
    given('POST /api/things', { id: '9' });
    given('DELETE /api/things/9', EMPTY);
    const undo = ({ id }: { id: string | null }): ChangeCall | null =>
      id === null ? null : { method: 'DELETE', path: `/api/things/${id}` };
    const { user, send } = await shown({ method: 'POST', path: '/api/things', done: 'Made.', undo });
    await send();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone.')).toBeDefined();
    given('POST /api/things', { id: null });
    await send();
    await waitFor(() => expect(screen.getAllByText('Made.').length).toBeGreaterThan(0));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(changes().map(([name]) => name)).toEqual(['POST /api/things', 'DELETE /api/things/9', 'POST /api/things']);
  });

  describe('with the time that it takes', () => {
    afterEach(() => vi.useRealTimers());

    it('can be undone for 15 seconds', async () => {
      given('GET /api/things', list('Old'));
      given('PATCH /api/things/1', {});
      await shown({ ...RENAME, undo: BACK });
      vi.useFakeTimers();
      fireEvent.click(screen.getByRole('button', { name: 'Send' }));
      await vi.advanceTimersByTimeAsync(14_000);
      expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    });
  });
});
