import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { given, held, refused } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { summary, usagePart } from '../../testing/usage.ts';
import { Engines } from './engines.tsx';
import { Summary } from './summary.tsx';

const PERIOD = { from: '2026-01-01T00:00:00Z', until: '2026-01-05T00:00:00Z', stretch: 'day' } as const;
const SERIES = [
  usagePart('2026-01-02T00:00:00.000Z'),
  usagePart('2026-01-04T00:00:00.000Z', { inputTokens: 2_500_000, outputTokens: 0, cost: 3, latencyMs: null }),
];

let open = vi.fn<(from: string, until: string) => void>();
beforeEach(() => {
  open = vi.fn<(from: string, until: string) => void>();
});

const shown = (period: { from: string; until: string; stretch: 'hour' | 'day' | 'month' } = PERIOD) =>
  show(<Summary summary={summary({ series: SERIES })} period={period} show={open} />).user;
const chart = (title: string) => screen.getByRole('slider', { name: `${title}: values by arrow keys` });
const read = (title: string) => chart(title).getAttribute('aria-valuetext');

describe('the charts of a period', () => {
  it('have a table with the same numbers, of the steps in which there were calls', () => {
    shown();
    const rows = within(screen.getByRole('table', { name: 'Tokens' })).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['2 Jan1,000, 200', '4 Jan2,500,000, 0']);
    expect(
      within(screen.getByRole('table', { name: 'Cost' }))
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['2 Jan€0.50', '4 Jan€3.00']);
  });

  it('open the day that is chosen, by Enter and by a click', async () => {
    const user = shown();
    chart('Cost').focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(open).toHaveBeenLastCalledWith('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z');
    const bars = chart('Tokens').querySelectorAll('svg g');
    expect(bars).toHaveLength(4);
    await user.click(bars[3] as Element);
    expect(open).toHaveBeenLastCalledWith('2026-01-04T00:00:00Z', '2026-01-05T00:00:00Z');
  });

  it('open nothing below an hour', async () => {
    const user = shown({ from: '2026-01-02T00:00:00Z', until: '2026-01-02T03:00:00Z', stretch: 'hour' });
    chart('Cost').focus();
    await user.keyboard('{ArrowRight}{Enter}');
    expect([read('Cost'), open.mock.calls]).toEqual(['2 Jan, 00:00: €0.50', []]);
  });

  it('open a whole month where the steps are months', async () => {
    const user = shown({ from: '2025-11-15T00:00:00Z', until: '2026-03-01T00:00:00Z', stretch: 'month' });
    chart('Cost').focus();
    await user.keyboard('{Home}{Enter}');
    expect(open).toHaveBeenLastCalledWith('2025-11-01T00:00:00Z', '2025-12-01T00:00:00Z');
  });

  it('of one’s own usage open nothing, and its parts are no buttons', () => {
    show(<Summary summary={summary({ series: SERIES })} period={PERIOD} />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(within(screen.getByRole('table', { name: 'By model' })).getByRole('row').textContent).toBe(
      'small lab2 calls€0.50',
    );
  });
});

describe('the errors of the engines', () => {
  const PATH = 'GET /api/engine-results';
  const engine = (but: object = {}) => ({
    endpoint: 'chat',
    provider: 'lab',
    calls: 200,
    failed: 0,
    statuses: [],
    ...but,
  });
  const engines = () => show(<Engines from={PERIOD.from} until={PERIOD.until} />);

  it.each([
    [0, 200, '0 %'],
    [1, 200, '< 1 %'],
    [2, 200, '1 %'],
    [199, 200, '100 %'],
    [200, 200, '100 %'],
  ])('are a share of the calls: %i of %i is %s', async (failed, calls, share) => {
    given(PATH, { engines: [engine({ failed, calls })] });
    engines();
    await screen.findByRole('table', { name: 'Engine errors' });
    expect(cellsOf('Engine errors')[0]?.[4]).toBe(share);
  });

  it('are listed with each status, and calls without an answer', async () => {
    given(PATH, {
      engines: [
        engine({
          calls: 12_345,
          failed: 1003,
          statuses: [
            { status: 429, calls: 1000 },
            { status: null, calls: 3 },
          ],
        }),
      ],
    });
    engines();
    await screen.findByRole('table');
    expect(cellsOf('Engine errors')).toEqual([['/chat', 'lab', '12,345', '1,003', '8 %', '429× 1,000no answer× 3']]);
  });

  it('are none in a period without an answer, which is said only once it is known', async () => {
    const letGo = held(PATH, { engines: [] });
    engines();
    expect(screen.queryByText('No answer of an engine is recorded for this period.')).toBeNull();
    letGo();
    expect(await screen.findByText('No answer of an engine is recorded for this period.')).toBeDefined();
  });

  it('that cannot be read say so, and are read again on request', async () => {
    given(PATH, refused(500, 'The console failed to answer. Read the cause on its error output.'));
    const { user } = engines();
    expect((await screen.findByRole('alert')).textContent).toContain('The console failed to answer.');
    given(PATH, { engines: [engine()] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
