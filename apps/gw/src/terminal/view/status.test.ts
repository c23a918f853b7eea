import { describe, expect, it } from 'vitest';
import { lineWidth, plainText } from '../text/line.ts';
import { durationOf } from './activity.ts';
import { initialState, type UiState } from './state.ts';
import { euros, statusLine, tokens } from './status.ts';

const stateWith = (change: Partial<UiState>): UiState => ({ ...initialState(), model: 'Model', ...change });

describe('the status line', () => {
  it('is cut at the edge of the window', () => {
    const state = stateWith({
      model: 'A model with a long name',
      inputTokens: 10,
      outputTokens: 5,
      contextTokens: 100,
    });
    expect(plainText(statusLine(state, 30))).toBe('normal · A model with a long …');
    expect(lineWidth(statusLine(state, 3))).toBeLessThanOrEqual(3);
  });

  it('warns where the context is nearly full', () => {
    const color = (contextTokens: number): unknown =>
      statusLine(stateWith({ contextLength: 1000, contextTokens }), 80).find(({ text }) => text.startsWith('context'))
        ?.style.color;
    expect([color(799), color(800), color(1200)]).toEqual([undefined, 'red', 'red']);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.0k'],
    [9949, '9.9k'],
    [9999, '10k'],
    [34_499, '34k'],
    [999_499, '999k'],
    [999_999, '1.0M'],
    [1_500_000, '1.5M'],
  ])('writes %i tokens as %s', (count, text) => {
    expect(tokens(count)).toBe(text);
  });

  it.each([
    [0, '€0.00'],
    [0.00001, '€0.0000'],
    [0.0123, '€0.0123'],
    [0.1, '€0.10'],
    [12.345, '€12.35'],
  ])('writes %d euros as %s', (amount, text) => {
    expect(euros(amount)).toBe(text);
  });

  it.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m 0s'],
    [3599, '59m 59s'],
  ])('writes %i seconds as %s', (seconds, text) => {
    expect(durationOf(seconds)).toBe(text);
  });
});
