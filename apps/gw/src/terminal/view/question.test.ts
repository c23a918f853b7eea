import { describe, expect, it } from 'vitest';
import { plainText } from '../text/line.ts';
import { questionLines } from './question.ts';

describe('a question', () => {
  it('of several lines has its options below, each in one row', () => {
    const question = { id: 'q', question: 'Which of\nthe two?', options: ['the\nfirst', 'x'.repeat(80)], selected: 2 };
    expect(questionLines(question, 30).map(plainText).join('\n')).toBe(
      `? Which of
  the two?
  1. the first
  2. ${'x'.repeat(24)}…
› 3. Another answer
  ↑ ↓ or a number, Enter answ…`,
    );
  });
});
