import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { given, held, refused } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { SeriesCharts } from './series-charts.tsx';
import { Summary } from './summary.tsx';
import { summary, usagePart } from './testing/usage.ts';
import { Engines } from './usage-page.tsx';

const PERIOD = { from: '2026-01-01T00:00:00Z', until: '2026-01-05T00:00:00Z', stretch: 'day' } as const;
const SERIES = [
  usagePart('2026-01-02T00:00:00.000Z'),
  usagePart('2026-01-04T00:00:00.000Z', { inputTokens: 2_500_000, outputTokens: 0, cost: 3, latencyMs: null }),
];

let open = vi.fn<(from: string, until: string) => void>();
beforeEach(() => {
  open = vi.fn<(from: string, until: string) => void>();
});

const shown = (
  period: { from: string; until: string; stretch: 'hour' | 'day' | 'month' } = PERIOD,
  series: readonly ReturnType<typeof usagePart>[] = SERIES,
) => show(<Summary summary={summary({ series })} period={period} show={open} />).user;
const chart = (title: string) => screen.getByRole('slider', { name: `${title}: values by arrow keys` });
const read = (title: string) => chart(title).getAttribute('aria-valuetext');

const press = (user: ReturnType<typeof shown>, name: string) => user.click(screen.getByRole('button', { name }));
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

describe('the charts of a period', () => {
  it('have a table with the same numbers, of the steps in which there were calls', async () => {
    const user = shown();
    await press(user, 'Tokens as a table');
    expect(rowsOf('Tokens')).toEqual(['Timeinputoutput', '2 Jan1,000200', '4 Jan2,500,0000']);
    await press(user, 'Cost as a table');
    expect(rowsOf('Cost')).toEqual(['Timecost', '2 Jan€0.50', '4 Jan€3.00']);
    await press(user, 'Cost as a table');
    expect(chart('Cost')).toBeDefined();
  });

  it('open the day that is chosen, and a range that is marked, by Enter', async () => {
    const user = shown();
    chart('Cost').focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(open).toHaveBeenLastCalledWith('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z');
    await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
    expect(read('Cost')).toBe('4 Jan: €3.00 (2 Jan to 4 Jan marked)');
    await user.keyboard('{Enter}');
    expect(open).toHaveBeenLastCalledWith('2026-01-02T00:00:00Z', '2026-01-05T00:00:00Z');
  });

  it('open nothing below an hour', async () => {
    const user = shown({ from: '2026-01-02T00:00:00Z', until: '2026-01-02T03:00:00Z', stretch: 'hour' });
    chart('Cost').focus();
    await user.keyboard('{ArrowRight}{Enter}');
    expect([read('Cost'), open.mock.calls]).toEqual(['2 Jan, 00:00: €0.50', []]);
  });

  it('open a whole month where the steps are months', async () => {
    const period = { from: '2025-11-15T00:00:00Z', until: '2026-03-01T00:00:00Z', stretch: 'month' } as const;
    const user = shown(period, [usagePart('2026-01-01T00:00:00.000Z')]);
    chart('Cost').focus();
    await user.keyboard('{Home}{Enter}');
    expect(open).toHaveBeenLastCalledWith('2025-11-01T00:00:00Z', '2025-12-01T00:00:00Z');
  });

  it('of one’s own usage open nothing, and its parts are no buttons', () => {
    show(<Summary summary={summary({ series: SERIES })} period={PERIOD} />);
    expect(screen.queryAllByRole('button').every(({ textContent }) => textContent === 'Table')).toBe(true);
    expect(within(screen.getByRole('table', { name: 'By model' })).getByRole('row').textContent).toBe(
      'small lab2 calls€0.50',
    );
  });
});

describe('the charts of calls', () => {
  const times = { p50: 100, p95: 200, p99: 300 };
  const step = (at: string, but: object = {}) => ({
    at: `${at}T00:00:00.000Z`,
    calls: 3,
    inputTokens: 20,
    outputTokens: 10,
    failed: 1,
    latencyMs: times,
    firstTokenMs: null,
    ...but,
  });
  const part = (at: string, name: string | null, calls: number) => ({
    at: `${at}T00:00:00.000Z`,
    name,
    calls,
    tokens: 10 * calls,
  });
  const now = {
    steps: [step('2026-01-02')],
    parts: [part('2026-01-02', null, 5), part('2026-01-02', 'chat', 1), part('2026-01-02', 'code', 2)],
  };
  const before = { steps: [step('2025-12-29', { calls: 7, latencyMs: null })], parts: [] };

  it('are stacked by part, the greatest first, with the period before and the times beside', async () => {
    const { user } = show(<SeriesCharts now={now} before={before} period={PERIOD} show={open} />);
    chart('Calls').focus();
    await user.keyboard('{Home}{ArrowRight}');
    expect(read('Calls')).toBe('2 Jan: 2 code, 1 chat, 5 all others, 7 before');
    chart('Whole answer').focus();
    await user.keyboard('{Home}{ArrowRight}');
    expect(read('Whole answer')).toBe('2 Jan: 100 ms p50, 200 ms p95, 300 ms p99');
    await user.click(screen.getByRole('button', { name: 'Failed calls as a table' }));
    expect(rowsOf('Failed calls')).toEqual(['Timefailedbefore', '2 Jan11']);
  });
});

describe('the errors of the engines', () => {
  const PATH = 'GET /api/engine-results';
  const engine = (but: object = {}) => ({
    endpoint: 'chat',
    provider: 'lab',
    calls: 200,
    failed: 2,
    statuses: [{ status: 503, calls: 2 }],
    ...but,
  });
  const engines = () => show(<Engines filters={{ from: PERIOD.from, until: PERIOD.until }} />);

  it.each([
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

  it('name only what failed', async () => {
    given(PATH, { engines: [engine({ endpoint: 'whole', failed: 0, statuses: [] }), engine()] });
    engines();
    await screen.findByRole('table');
    expect(cellsOf('Engine errors').map(([endpoint]) => endpoint)).toEqual(['/chat']);
  });

  it('are none where every call was answered', async () => {
    given(PATH, { engines: [engine({ failed: 0, statuses: [] })] });
    engines();
    expect(await screen.findByText('No call failed at an engine in this period.')).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
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
