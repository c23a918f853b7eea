import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

function terminal(watched: boolean) {
  const reported: string[] = [];
  return {
    reported,
    watched,
    columns: null,
    write: async () => {},
    report: (text: string) => void reported.push(text),
  };
}

it('shows how far a command got on one line, not more often than a person reads, and removes it', () => {
  const shown = terminal(true);
  const progress = showProgress(shown, 'decisions', 4000n);
  progress.at(1000n);
  progress.at(1001n);
  vi.advanceTimersByTime(99);
  progress.at(1002n);
  vi.advanceTimersByTime(1);
  progress.at(3999n);
  progress.end();
  expect(shown.reported).toEqual([
    '\r\u001b[Kdecisions: 1,000 of 4,000 (25 %)',
    '\r\u001b[Kdecisions: 3,999 of 4,000 (99 %)',
    '\r\u001b[K',
  ]);
});

it('shows nothing where nobody watches, and removes nothing where nothing was shown', () => {
  for (const watched of [true, false]) {
    const shown = terminal(watched);
    const progress = showProgress(shown, 'decisions', 0n);
    if (!watched) progress.at(5n);
    progress.end();
    expect(shown.reported).toEqual([]);
  }
});

it('shows how much was done of an input of unknown size, such as a pipe', () => {
  const shown = terminal(true);
  showProgress(shown, 'export', 0n).at(5n);
  expect(shown.reported).toEqual(['\r\u001b[Kexport: 5']);
});
