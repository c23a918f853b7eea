import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { usePeriod } from './period.tsx';

const DAY = 86_400_000;

function Shown() {
  const { period, choice } = usePeriod();
  return (
    <>
      {choice}
      <output>{JSON.stringify(period)}</output>
    </>
  );
}

const opened = (query = '') => show(<Shown />, `#usage${query}`).user;
const period = () =>
  JSON.parse(screen.getByRole('status').textContent ?? '') as { from: string; until?: string; stretch: string };
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
/** A day is picked whole: a date field has no half of one. */
const pick = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const CUSTOM = '?period=custom&from=2026-01-01T00%3A00%3A00Z';

describe('a period that ends now', () => {
  it.each([
    ['', 'month', 30, 'day'],
    ['?period=day', 'day', 1, 'hour'],
    ['?period=week', 'week', 7, 'day'],
    ['?period=year', 'year', 365, 'month'],
    ['?period=century', 'month', 30, 'day'],
  ])('of the address %j is read up to the hour, without an end', (query, name, days, stretch) => {
    const before = Date.now();
    opened(query);
    const { from, until } = period();
    expect([chosen(), until, period().stretch, from.slice(13)]).toEqual([name, undefined, stretch, ':00:00.000Z']);
    // The hour in which it was read began at most an hour ago.
    const begun = Date.parse(from) + days * DAY;
    expect(begun).toBeLessThanOrEqual(Date.now());
    expect(begun).toBeGreaterThan(before - DAY / 24);
  });

  it('is chosen by a click, stands in the address, and begins at the first page', async () => {
    const user = opened('?page=3&at=x&subject=ada');
    await user.click(screen.getByRole('radio', { name: 'Last week' }));
    expect(location.hash).toBe('#usage?subject=ada&period=week');
    await user.click(screen.getByRole('radio', { name: 'Last 30 days' }));
    expect(location.hash).toBe('#usage?subject=ada');
  });
});

describe('a period from one day to another', () => {
  it('names its last day, which counts whole', async () => {
    opened(`${CUSTOM}&until=2026-02-01T00%3A00%3A00Z`);
    expect([field('First day (UTC)').value, field('Last day (UTC)').value]).toEqual(['2026-01-01', '2026-01-31']);
    pick('Last day (UTC)', '2026-02-28');
    await waitFor(() => expect(period().until).toBe('2026-03-01T00:00:00Z'));
    pick('First day (UTC)', '2024-02-29');
    await waitFor(() => expect(period().from).toBe('2024-02-29T00:00:00Z'));
  });

  it.each([
    ['2026-01-04', 'hour'],
    ['2026-01-05', 'day'],
    ['2026-03-04', 'day'],
    ['2026-03-05', 'month'],
  ])('has steps that fit its charts: until %s by the %s', (until, stretch) => {
    opened(`${CUSTOM}&until=${until}T00%3A00%3A00Z`);
    expect(period().stretch).toBe(stretch);
  });

  it('whose end is before its beginning says so, and is read without an end', () => {
    opened(`${CUSTOM}&until=2025-12-31T00%3A00%3A00Z`);
    expect(screen.getByText('Before the first day.')).toBeDefined();
    expect(period()).toMatchObject({ from: '2026-01-01T00:00:00Z' });
    expect(period().until).toBeUndefined();
  });

  it('begins with the period that was shown, up to today', async () => {
    const user = opened('?period=week');
    const from = period().from.slice(0, 10);
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    expect(field('First day (UTC)').value).toBe(from);
    expect([0, 1].map((days) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10))).toContain(
      field('Last day (UTC)').value,
    );
    expect(period().stretch).toBe('day');
  });

  it.each(['from=2026-02-30T00%3A00%3A00Z', 'from=0000-01-01T00%3A00%3A00Z', 'from=x&until=y'])(
    'of days that no month has is read as if they were absent: %s',
    (words) => {
      opened(`?period=custom&${words}`);
      expect(period().until).toBeUndefined();
      expect(Date.parse(period().from)).toBeGreaterThan(Date.now() - 31 * DAY);
    },
  );

  it('goes on until now where its last day is emptied, and begins thirty days ago without a first one', async () => {
    const user = opened(`${CUSTOM}&until=2026-02-01T00%3A00%3A00Z`);
    await user.clear(field('Last day (UTC)'));
    await waitFor(() => expect(location.hash).toBe('#usage?period=custom&from=2026-01-01T00%3A00%3A00Z'));
    expect([period().until, field('Last day (UTC)').value]).toEqual([undefined, '']);
    await user.clear(field('First day (UTC)'));
    await waitFor(() => expect(location.hash).toBe('#usage?period=custom'));
    expect(Math.round((Date.now() - Date.parse(period().from)) / DAY)).toBe(30);
    // While another day is typed, the field does not show one that nobody chose.
    expect(field('First day (UTC)').value).toBe('');
  });

  it('is left for one that ends now, with nothing of it in the address', async () => {
    const user = opened(`${CUSTOM}&until=2026-02-01T00%3A00%3A00Z`);
    await user.click(screen.getByRole('radio', { name: 'Last year' }));
    expect(location.hash).toBe('#usage?period=year');
    expect(screen.queryByLabelText('First day (UTC)')).toBeNull();
  });
});
