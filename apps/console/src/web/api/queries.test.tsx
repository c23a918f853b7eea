import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { given, held, reads, refused, unreachable } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { Fault } from '../ui/fault.tsx';
import { useRead } from './request.ts';

function Thing({ path = '/api/thing' }: { path?: string | null }) {
  const { data, error, isPlaceholderData } = useRead<{ name: string }>(path);
  return (
    <>
      <p>{`Read: ${data?.name ?? 'nothing'}${isPlaceholderData ? ' (of before)' : ''}`}</p>
      <Fault error={error} retry={() => undefined} />
    </>
  );
}

const read = () => screen.getByText(/^Read:/).textContent;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what is read', () => {
  it.each([
    ['the console cannot be reached', unreachable],
    ['the database does not answer', refused(503, 'Down.', { down: 'database' })],
  ])('is read again every five seconds while %s, until it is there', async (_, fault) => {
    given('GET /api/thing', fault);
    show(<Thing />);
    await pass(100);
    expect(screen.getByRole('alert').textContent).toContain('It is tried again every 5 seconds.');
    expect(reads('/api/thing')).toHaveLength(2);
    await pass(5_000);
    expect(reads('/api/thing').length).toBeGreaterThan(2);
    given('GET /api/thing', { name: 'a thing' });
    await pass(5_100);
    expect([read(), screen.queryByRole('alert')]).toEqual(['Read: a thing', null]);
    const count = reads('/api/thing').length;
    await pass(60_000);
    expect(reads('/api/thing')).toHaveLength(count);
  });

  it.each([400, 401, 403, 404, 409])('and refused with %i is an answer: it is not asked for again', async (status) => {
    given('GET /api/thing', refused(status, 'Refused.'));
    show(<Thing />);
    await pass(60_000);
    expect(reads('/api/thing')).toHaveLength(1);
  });

  it('from a console that failed once is there at the second try', async () => {
    given('GET /api/thing', () => {
      given('GET /api/thing', { name: 'a thing' });
      return refused(500, 'The console failed.')();
    });
    show(<Thing />);
    await pass(100);
    expect([read(), screen.queryByRole('alert')]).toEqual(['Read: a thing', null]);
  });

  it('stays on the screen while another address is read, and nothing is read without an address', async () => {
    given('GET /api/thing', { name: 'a thing' });
    const { again } = show(<Thing />);
    await pass(100);
    const letGo = held('GET /api/other', { name: 'another' });
    again(<Thing path="/api/other" />);
    await pass(100);
    expect(read()).toBe('Read: a thing (of before)');
    letGo();
    await pass(100);
    expect(read()).toBe('Read: another');
    again(<Thing path={null} />);
    await pass(60_000);
    expect(reads('/api/thing').length + reads('/api/other').length).toBe(2);
  });

  it('is read though the browser says that it is offline: it may be a console of this machine', async () => {
    const state = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    given('GET /api/thing', { name: 'a thing' });
    show(<Thing />);
    act(() => void dispatchEvent(new Event('offline')));
    await pass(100);
    expect(read()).toBe('Read: a thing');
    state.mockRestore();
    act(() => void dispatchEvent(new Event('online')));
    await pass(100);
  });
});
