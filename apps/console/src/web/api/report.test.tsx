import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { report, reportFailure } from './request.ts';

afterEach(() => vi.useRealTimers());

it('a failure stays until it is closed, what was done closes by itself', async () => {
  const { user } = show(<p>A page</p>);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  act(() => {
    report('Renamed.');
    reportFailure('It was not undone: the console cannot be reached.');
  });
  const failure = 'It was not undone: the console cannot be reached.';
  await screen.findByText('Renamed.');
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect([screen.queryByText('Renamed.'), screen.queryByText(failure)]).toEqual([null, expect.any(Object)]);
  vi.useRealTimers();
  await user.click(screen.getByRole('button'));
  await vi.waitFor(() => expect(screen.queryByText(failure)).toBeNull());
});
