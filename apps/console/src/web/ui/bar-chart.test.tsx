import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { type Bar, BarChart } from './bar-chart.tsx';

const OPEN = vi.fn();
const BARS: readonly Bar[] = [
  { label: '1 May', values: [10, 5], open: OPEN },
  { label: '2 May', values: [0, 0] },
  { label: '3 May', values: [30, 20] },
];

const chart = (bars = BARS, parts = ['Input', 'Output']) => (
  <BarChart
    title="Tokens"
    parts={parts}
    bars={bars}
    show={(value) => `${value} tokens`}
    axis={(value) => `~${value}`}
  />
);
const slider = () => screen.getByRole('slider', { name: 'Tokens: values by arrow keys' });
const said = () => slider().getAttribute('aria-valuetext');

describe('a chart', () => {
  it('is a table for who cannot see it, without the times at which nothing was', () => {
    show(chart());
    const table = screen.getByRole('table', { name: 'Tokens' });
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['1 May10 tokens, 5 tokens', '3 May30 tokens, 20 tokens']);
  });

  it('is drawn on an axis from zero to a round number above the highest bar', () => {
    show(chart());
    for (const label of ['~50', '~25', '~0']) expect(screen.getByText(label)).toBeDefined();
    const heights = [...document.querySelectorAll('g rect:not([fill])')].map((bar) =>
      Number(bar.getAttribute('height')),
    );
    expect(heights).toEqual([20, 10, 0, 0, 60, 40]);
  });

  it('is read with the arrow keys, which stop at its ends', async () => {
    const { user } = show(chart());
    slider().focus();
    expect(said()).toBe('none chosen');
    const steps = [
      ['{ArrowRight}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{ArrowLeft}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{End}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['{ArrowRight}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['{ArrowLeft}', '2 May: 0 tokens Input, 0 tokens Output'],
      ['{Home}', '1 May: 10 tokens Input, 5 tokens Output'],
      ['{Escape}', 'none chosen'],
      ['{ArrowLeft}', '3 May: 30 tokens Input, 20 tokens Output'],
      ['x', '3 May: 30 tokens Input, 20 tokens Output'],
    ] as const;
    for (const [key, text] of steps) {
      await user.keyboard(key);
      expect(said()).toBe(text);
    }
    await user.tab();
    expect(said()).toBe('none chosen');
  });

  it('opens a time with Enter or a click, where there is more to show', async () => {
    const { user } = show(chart());
    slider().focus();
    await user.keyboard('{Enter}{End}{Enter}');
    expect(OPEN).not.toHaveBeenCalled();
    await user.keyboard('{Home}{Enter}');
    expect(OPEN).toHaveBeenCalledTimes(1);
    const bars = [...document.querySelectorAll('g')];
    for (const bar of bars) fireEvent.click(bar);
    expect(OPEN).toHaveBeenCalledTimes(2);
  });

  it('says what is under the pointer, until it leaves', () => {
    show(chart());
    const [first] = document.querySelectorAll('g');
    fireEvent.mouseEnter(first ?? document.body);
    expect(screen.getByText('1 May: 10 tokens Input, 5 tokens Output')).toBeDefined();
    fireEvent.mouseLeave(slider());
    expect(said()).toBe('none chosen');
  });

  it('needs no legend for one part', () => {
    show(chart([{ label: '1 May', values: [10] }], ['Calls']));
    expect(screen.queryByText('Calls')).toBeNull();
  });

  it.each([
    ['nothing', []],
    ['zeros', [{ label: '1 May', values: [0, 0] }]],
  ])('can be drawn of %s', async (_, bars) => {
    const { user } = show(chart(bars));
    slider().focus();
    await user.keyboard('{ArrowRight}{Enter}{End}');
    expect(document.body.innerHTML).not.toMatch(/NaN|Infinity/);
    expect(screen.queryAllByRole('row')).toEqual([]);
  });
});
