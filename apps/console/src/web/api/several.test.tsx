import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changes, EMPTY, given, held, refused, unreachable } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { type One, useSeveral } from './several.ts';

interface Made {
  readonly id: string;
}

const one = (name: string): One<Made> => ({
  name,
  change: { method: 'POST', path: `/api/users/${name}`, body: { name } },
  undo: ({ id }) => ({ method: 'DELETE', path: `/api/made/${id}` }),
});
const ALL = ['ada', 'alan', 'grace'].map(one);

function Several() {
  const { run, ended, isUnderWay, forget } = useSeveral<Made>();
  return (
    <>
      <button type="button" onClick={() => void run(ALL, (count) => `${count} created.`)}>
        Create all
      </button>
      <button type="button" onClick={forget}>
        Forget
      </button>
      <p>{isUnderWay ? 'Under way' : 'At rest'}</p>
      <ul>
        {ended.map(({ name, answer, fault }) => (
          <li key={name}>{`${name}: ${fault ?? answer?.id}`}</li>
        ))}
      </ul>
    </>
  );
}

const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

async function begun() {
  const { user } = show(<Several />);
  await user.click(screen.getByRole('button', { name: 'Create all' }));
  return user;
}

describe('several changes', () => {
  it('are sent one after the other, and each is reported when it ends', async () => {
    given('POST /api/users/ada', { id: '1' });
    const letGo = held('POST /api/users/alan', { id: '2' });
    given('POST /api/users/grace', { id: '3' });
    await begun();
    await waitFor(() => expect(items()).toEqual(['ada: 1']));
    expect(changes().map(([name]) => name)).toEqual(['POST /api/users/ada', 'POST /api/users/alan']);
    expect(screen.getByText('Under way')).toBeDefined();
    letGo();
    expect(await screen.findByText('3 created.')).toBeDefined();
    expect(items()).toEqual(['ada: 1', 'alan: 2', 'grace: 3']);
    expect(screen.getByText('At rest')).toBeDefined();
  });

  it('do not stop at one that is refused: its fault says which field, or why', async () => {
    given('POST /api/users/ada', refused(400, 'Bad input.', { fields: { username: 'is taken', plan: 'is unknown' } }));
    given('POST /api/users/alan', unreachable);
    given('POST /api/users/grace', { id: '3' });
    const user = await begun();
    expect(await screen.findByText('1 created.')).toBeDefined();
    expect(items()).toEqual([
      'ada: username is taken, plan is unknown.',
      'alan: The console cannot be reached. Check that it still runs, then try again.',
      'grace: 3',
    ]);
    await user.click(screen.getByRole('button', { name: 'Forget' }));
    expect(items()).toEqual([]);
  });

  it('offer nothing to undo where all were refused', async () => {
    for (const { name } of ALL) given(`POST /api/users/${name}`, refused(403, 'Not permitted.'));
    await begun();
    await waitFor(() => expect(items()).toHaveLength(3));
    await screen.findByText('At rest');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('are undone together, the last first', async () => {
    for (const [at, { name }] of ALL.entries()) given(`POST /api/users/${name}`, { id: String(at) });
    for (const at of [0, 1, 2]) given(`DELETE /api/made/${at}`, EMPTY);
    const user = await begun();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('3 undone.')).toBeDefined();
    expect(
      changes()
        .slice(3)
        .map(([name]) => name),
    ).toEqual(['DELETE /api/made/2', 'DELETE /api/made/1', 'DELETE /api/made/0']);
  });

  it('name those that could not be undone', async () => {
    for (const [at, { name }] of ALL.entries()) given(`POST /api/users/${name}`, { id: String(at) });
    given('DELETE /api/made/0', EMPTY);
    given('DELETE /api/made/1', refused(409, 'It is in use.'));
    given('DELETE /api/made/2', unreachable);
    const user = await begun();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 undone. Not undone: grace, alan.')).toBeDefined();
  });
});
