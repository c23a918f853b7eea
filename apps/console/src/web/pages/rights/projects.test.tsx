import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changes, EMPTY, given, listed, reads, refused } from '../../testing/api.ts';
import { person } from '../../testing/objects.ts';
import { show } from '../../testing/show.tsx';
import { Projects } from './people.tsx';
import { RevokeForm } from './revoke-form.tsx';

describe('the projects', () => {
  const apollo = { project: 'apollo/11', administrators: ['ada', 'alan'], members: 1234 };
  const gemini = { project: 'gemini', administrators: [], members: 0 };

  beforeEach(() => {
    given('GET /api/projects', listed('projects', [apollo, gemini]));
    given('GET /api/subjects', listed('subjects', [person('grace')]));
  });

  const cells = async (name: RegExp) =>
    within(await screen.findByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);

  async function opened() {
    const { user } = show(<Projects />);
    await user.click(await screen.findByRole('button', { name: 'Members of apollo/11' }));
    const dialog = await screen.findByRole('dialog', { name: 'Members of apollo/11' });
    await within(dialog).findByRole('row', { name: /^grace/ });
    return { user, dialog: within(dialog) };
  }

  it('have their administrators and the number of their members', async () => {
    show(<Projects />);
    expect(await cells(/^apollo/)).toEqual(['apollo/11', 'ada, alan', '1,234', 'Members']);
    expect(await cells(/^gemini/)).toEqual(['gemini', 'nobody has its role', '0', 'Members']);
  });

  it('begin with a first member', async () => {
    given('GET /api/projects', listed('projects', []));
    given('POST /api/projects/new%20one/members', {});
    const { user } = show(<Projects />);
    await screen.findByText('No project yet');
    await user.click(screen.getByRole('button', { name: 'Add a member' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a member to a project' }));
    await user.type(dialog.getByRole('textbox', { name: 'Project' }), 'new one');
    await user.type(dialog.getByRole('textbox', { name: 'Subject' }), 'ada{Enter}');
    expect(await screen.findByText('ada belongs to new one.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/projects/new%20one/members', { subject: 'ada' }]]);
  });

  it('take members in, one after the other', async () => {
    given('POST /api/projects/apollo%2F11/members', {});
    const { user, dialog } = await opened();
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Add a member' });
    await user.type(field, 'ada{Enter}');
    await screen.findByText('ada belongs to apollo/11.');
    await waitFor(() => expect(field.value).toBe(''));
    expect(reads('/api/subjects')[0]).toEqual({ project: 'apollo/11', limit: '50' });
  });

  it('keep a name that is refused, and mark it', async () => {
    const fields = { subject: 'belongs to it already' };
    given('POST /api/projects/apollo%2F11/members', refused(400, 'Bad.', { fields }));
    const { user, dialog } = await opened();
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Add a member' });
    await user.type(field, 'grace{Enter}');
    expect(await dialog.findByText('belongs to it already')).toBeDefined();
    expect(field.value).toBe('grace');
  });

  it('let members out, after a question', async () => {
    given('DELETE /api/projects/apollo%2F11/members/grace', EMPTY);
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Remove: Remove grace from apollo/11' }));
    given('GET /api/subjects', listed('subjects', []));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('grace no longer belongs to apollo/11.')).toBeDefined();
    expect(await screen.findByText('Nobody belongs to this project yet.')).toBeDefined();
  });

  it('find a member by name, outside the address', async () => {
    const { user, dialog } = await opened();
    given('GET /api/subjects', listed('subjects', []));
    await user.type(dialog.getByRole('textbox', { name: 'Search members' }), 'zoe');
    expect(await dialog.findByText('No member matches “zoe”.')).toBeDefined();
    expect(location.hash).toBe('');
    expect(reads('/api/subjects').at(-1)).toEqual({ project: 'apollo/11', search: 'zoe', limit: '50' });
  });
});

describe('a revocation by name', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    given('GET /api/subjects', ({ query }) => listed('subjects', query['subject'] === 'ada' ? [person('ada')] : []));
    given('POST /api/subject-revocations', { id: 'r1' });
    show(<RevokeForm opened close={() => undefined} />);
  });
  afterEach(() => void vi.useRealTimers());

  /** Until the name is looked up, and its answer is shown. */
  const wait = async () => {
    await act(() => vi.advanceTimersByTimeAsync(300));
    await act(() => vi.advanceTimersByTimeAsync(50));
  };
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  const revoke = async () => {
    fireEvent.submit(document.querySelector('form') ?? document.body);
    await wait();
  };

  it('of a known name is sent with its reason', async () => {
    type('Subject', 'ada');
    await wait();
    type('Reason, kept in the log', 'left');
    await revoke();
    expect(changes()).toEqual([['POST /api/subject-revocations', { subject: 'ada', reason: 'left' }]]);
    expect(screen.getByText('ada is refused from the next call on.')).toBeDefined();
  });

  it('of an unknown name must be confirmed: it is most often a typing error', async () => {
    type('Subject', 'adda');
    await wait();
    expect(screen.getByText('Nobody is known as “adda”')).toBeDefined();
    type('Reason, kept in the log', 'left');
    await revoke();
    expect(changes()).toEqual([]);
    expect(screen.getByText('Check the name, or confirm that you mean it.')).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Revoke it anyway/ }));
    await revoke();
    expect(changes()).toHaveLength(1);
    expect(screen.getByText('adda would be refused; this name is unknown until now.')).toBeDefined();
  });

  it('of a name that is still being looked up waits for that', async () => {
    type('Subject', 'ada');
    type('Reason, kept in the log', 'left');
    fireEvent.submit(document.querySelector('form') ?? document.body);
    expect(screen.getByText('ada is still being looked up. Try again in a moment.')).toBeDefined();
    await wait();
    expect(changes()).toEqual([]);
    await revoke();
    expect(changes()).toHaveLength(1);
  });
});
