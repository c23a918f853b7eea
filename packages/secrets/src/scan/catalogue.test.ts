import { describe, expect, it } from 'vitest';
import { NAMED_RULES } from '../rules/named.ts';
import { STRUCTURAL_RULES } from '../rules/structural.ts';
import { BACKSLASH_CLASS, CLASS_OF } from './automaton.ts';
import { compileCatalogue, TOKEN_RULES } from './catalogue.ts';

const all = compileCatalogue(true);
const sure = compileCatalogue(false);

describe('the catalogue of rules', () => {
  it('has every rule once, and says of a form of its own that it is sure', () => {
    const ids = all.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(TOKEN_RULES.length + NAMED_RULES.length + STRUCTURAL_RULES.length);
    const cards = new Map(all.rules.map((rule) => [rule.id, rule]));
    for (const { id } of [...TOKEN_RULES, ...NAMED_RULES]) expect(cards.get(id)?.confidence).toBe('high');
  });

  // relay-33
  it('leaves out exactly the generated values under names where the policy says so', () => {
    const left = new Set(sure.rules.map(({ id }) => id));
    const missing = all.rules.filter(({ id }) => !left.has(id));
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.every(({ kind, confidence }) => kind === 'entropy' && confidence === 'medium')).toBe(true);
    expect(sure.rules.some(({ kind }) => kind === 'entropy')).toBe(false);
  });

  it('has keywords in small letters of the alphabet alone: a byte without a class would stand for any other', () => {
    const texts = all.keywords.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) {
      expect(text).toBe(text.toLowerCase());
      const classes = Array.from(Buffer.from(text), (byte) => CLASS_OF[byte]);
      expect([text, classes.includes(0), classes.includes(BACKSLASH_CLASS)]).toEqual([text, false, false]);
    }
  });

  it('asks at least one check at each keyword, each of a rule of its own', () => {
    const rules = new Set(all.rules.map(({ id }) => id));
    const asked = new Set<string>();
    for (const { text, checks } of all.keywords) {
      expect([text, checks.length > 0]).toEqual([text, true]);
      for (const { rule } of checks) asked.add(rule.id);
    }
    expect(asked).toEqual(rules);
  });
});
