import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { type ChartSeries, TimeChart } from './time-chart.tsx';

const SELECT = vi.fn();
const SERIES: readonly ChartSeries[] = [
  { name: 'Input', kind: 'bar', values: [10, 0, 30] },
  { name: 'Output', kind: 'bar', values: [5, null, 20] },
];
const chart = (series = SERIES, steps = ['1 May', '2 May', '3 May']) => (
  <TimeChart
    title="Tokens"
    steps={steps}
    series={series}
    show={(value) => `${value} tokens`}
    axis={(values) => values.map((value) => `~${value}`)}
    select={SELECT}
  />
);
const slider = () => screen.getByRole('slider', { name: 'Tokens: values by arrow keys' });
const said = () => slider().getAttribute('aria-valuetext');

describe('a chart', () => {
  it('is read with the arrow keys, which stop at its ends', async () => {
    const { user } = show(chart());
    slider().focus();
    expect(said()).toBe('none chosen');
    const steps = [
      ['{ArrowRight}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{ArrowLeft}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{End}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['{ArrowRight}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['{ArrowLeft}', '2 May: 0 tokens Input, – Output'],
      ['{Home}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{Escape}', 'none chosen'],
      ['{ArrowLeft}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['x', '3 May: 30 tokens Input, 20 tokens Output'],
    ] as const;
    for (const [key, text] of steps) {
      await user.keyboard(key);
      expect(said()).toBe(text);
    }
    await user.keyboard('{Enter}');
    expect(SELECT).toHaveBeenLastCalledWith(2, 2);
    await user.tab();
    expect(said()).toBe('none chosen');
  });

  it('needs no legend for one part', () => {
    show(chart([{ name: 'Calls', kind: 'bar', values: [1, 2, 3] }]));
    expect(screen.queryByText('Calls')).toBeNull();
  });

  it.each([
    ['no series', [], []],
    ['no value', [{ name: 'p50', kind: 'line' as const, values: [null, null] }], ['1 May', '2 May']],
  ])('of %s says so, without an axis or a table', (_, series, steps) => {
    show(chart(series, steps));
    expect(screen.getByText('Nothing was measured in this period.')).toBeDefined();
    expect([screen.queryByRole('slider'), screen.queryByRole('button')]).toEqual([null, null]);
  });

  it('can be drawn of zeros', async () => {
    const { user } = show(chart([{ name: 'Calls', kind: 'bar', values: [0] }], ['1 May']));
    slider().focus();
    await user.keyboard('{ArrowRight}{End}');
    await user.click(screen.getByRole('button', { name: 'Tokens as a table' }));
    expect(document.body.innerHTML).not.toMatch(/NaN|Infinity/);
    expect(screen.queryAllByRole('cell')).toEqual([]);
  });
});
