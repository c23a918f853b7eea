import { describe, expect, it, vi } from 'vitest';
import { charset } from '../text/charset.ts';
import type { RuleCard } from '../verify/rule.ts';
import { NO } from '../verify/view.ts';
import { LazyKeyword, type Part } from './keyword.ts';

const card: RuleCard = { id: 'a', title: 'A', kind: 'entropy', confidence: 'medium', source: 'https://example.org' };
const part = (follows: string | null, more: Partial<Part> = {}): Part => ({
  check: { rule: card, follows: follows === null ? null : charset(follows), run: () => NO },
  ...more,
});

describe('a keyword', () => {
  it('is compiled at the first question, once', () => {
    const keyword = new LazyKeyword('key');
    const rule = vi.fn(() => part('0-9'));
    keyword.add(rule);
    expect(keyword.text).toBe('key');
    expect(rule).not.toHaveBeenCalled();
    expect([keyword.follows, keyword.checks.length, keyword.beginnings, keyword.behind]).toEqual([
      charset('0-9'),
      1,
      [],
      false,
    ]);
    expect(rule).toHaveBeenCalledOnce();
  });

  it('asks the checks of its rules in their order', () => {
    const keyword = new LazyKeyword('key');
    const parts = [part('a'), part('b'), part('c')];
    for (const each of parts) keyword.add(() => each);
    expect(keyword.checks).toEqual(parts.map(({ check }) => check));
  });

  it('may be followed by what any of its rules takes, and by anything if one takes all', () => {
    const keyword = new LazyKeyword('key');
    keyword.add(() => part('0-9'));
    keyword.add(() => part('a-f'));
    expect(keyword.follows).toEqual(charset('0-9a-f'));
    const any = new LazyKeyword('key');
    any.add(() => part('0-9'));
    any.add(() => part(null));
    expect(any.follows).toBeNull();
  });

  it('is the beginning of secrets, and has secrets before it, if that is so for one of its rules', () => {
    const keyword = new LazyKeyword('key');
    const beginning = { text: 'Key', startOf: () => 0 };
    keyword.add(() => part(null));
    keyword.add(() => part(null, { beginnings: [beginning], behind: true }));
    expect([keyword.beginnings, keyword.behind]).toEqual([[beginning], true]);
  });
});
