import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchName, requestText } from './pr-git.ts';

describe('the text of a request', () => {
  it.each([
    ['Fix it\n\nBecause.', 'Fix it', 'Because.'],
    ['<think>hm</think>\n```\n# Subject: "Fix it"\n\nBecause.\n```', 'Fix it', 'Because.'],
    ['Subject: Fix it\nDescription: Because.', 'Fix it', 'Because.'],
    ['**Title:** Fix it\n\n**Body:** Because.', 'Fix it', 'Because.'],
    ['\n\n"Fix it."\n', 'Fix it.', ''],
    ['```text\nFix it\n\nBecause.\n```', 'Fix it', 'Because.'],
    ['## Commit message: `Fix it`', 'Fix it', ''],
    ['Fix it\r\n\r\nOne.\r\n\r\nTwo.', 'Fix it', 'One.\n\nTwo.'],
    ['<think>Subject: no\n</think>Fix it', 'Fix it', ''],
    ['Fix the title: it was wrong', 'Fix the title: it was wrong', ''],
  ])('of %j', (answer, subject, description) => {
    expect(requestText(answer, [])).toEqual({ subject, description });
  });

  it.each([
    [[], 'Update files'],
    [['a.ts'], 'Update a.ts'],
    [['a.ts', 'b.ts', 'c.ts'], 'Update a.ts and 2 more'],
  ])('of a model that says nothing about %j', (files, subject) => {
    for (const answer of ['', '\n', '""', '```\n```', '<think>hm</think>'])
      expect(requestText(answer, files)).toEqual({ subject, description: '' });
  });

  it('cuts a long subject between words, and keeps all of it in the description', () => {
    const { subject, description } = requestText('word '.repeat(30), ['a']);
    expect(subject).toMatch(/^(word )+word…$/);
    expect(description).toBe('word '.repeat(30).trim());
  });

  it('has one line of at most 72 characters as its subject, of whole characters, for any answer', () => {
    const answer = fc
      .array(fc.oneof(fc.constantFrom('Subject: ', '"', '`', '\n', ' ', '#', '🔑', '日本', 'word '), fc.string()), {
        maxLength: 60,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(answer, (given) => {
        const { subject, description } = requestText(given.toWellFormed(), ['a.ts']);
        expect(subject).not.toBe('');
        expect(subject).not.toMatch(/[\r\n]/);
        expect(subject.length).toBeLessThanOrEqual(72);
        expect([subject.isWellFormed(), description.isWellFormed()]).toEqual([true, true]);
      }),
      { examples: [['🔑'.repeat(60)]] },
    );
  });
});

it('a branch has a name that git takes, for any subject', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (subject) => {
      expect(branchName(subject, '3f9a2c')).toMatch(/^gw\/[a-z0-9]+(?:-[a-z0-9]+)*-3f9a2c$/);
    }),
  );
  expect(branchName('Ünïcode: raise the TAX!', 'abc')).toBe('gw/n-code-raise-the-tax-abc');
  expect(branchName('…', 'abc')).toBe('gw/changes-abc');
  expect(branchName('x'.repeat(100), 'a').length).toBeLessThan(50);
});
