import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silence } from './headless.ts';

describe('an answer with --silent', () => {
  it.each([
    ['a marker with its content', '<think>\nhm\n</think>\nThe answer.', 'The answer.'],
    ['a marker in one line', '<think>hm</think>The answer.', 'The answer.'],
    ['a marker that never ends', 'The answer.\n<thinking>\nhm', 'The answer.'],
    ['several markers', '<think>a</think>\nOne.\n<reflection>\nb\n</reflection>\nTwo.', 'One.\n\nTwo.'],
    ['a marker in any case', '<THINK>hm</THINK>The answer.', 'The answer.'],
    ['an indented marker', '  <system-reminder>x</system-reminder>\nThe answer.', 'The answer.'],
    ['another tag, which is part of the answer', 'A <div>box</div> and <T>.', 'A <div>box</div> and <T>.'],
    [
      'a marker within a sentence, which is named',
      'Models write <think>…</think> tags.',
      'Models write <think>…</think> tags.',
    ],
    ['a marker in code, which is code', '```xml\n<think>\nx\n</think>\n```', '```xml\n<think>\nx\n</think>\n```'],
    ['an end without a beginning', 'The </think> answer.', 'The </think> answer.'],
    ['runs of blanks and of blank lines', 'One   two \t\n\n\n\nthree', 'One two\n\nthree'],
    ['indentation, which has a meaning', '- one\n    - two', '- one\n    - two'],
    ['blanks in code, which stay', '```\na    b  \n\n\n\nc\n```', '```\na    b  \n\n\n\nc\n```'],
    ['nothing else', '<think>hm</think>', ''],
  ])('without or with %s', (_, answer, expected) => {
    expect(silence(answer)).toBe(expected);
  });

  it('has every character of fenced code, whatever it is', () => {
    const part = fc.constantFrom('<think>', '</think>', '\n', '  ', 'word', '\t', '\n\n\n', '<reasoning>');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const block = `\`\`\`text\n${parts.join('')}\n\`\`\``;
        expect(silence(block)).toBe(block);
      }),
    );
  });
});
