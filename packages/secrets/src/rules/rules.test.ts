import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { createScanner } from '../stream/scanner.ts';
import { placeholderOf, specimenOf } from '../testing/specimen.ts';
import { KINDS } from '../verify/rule.ts';
import { NAMED_RULES } from './named.ts';
import { STRUCTURAL_RULES } from './structural.ts';

const scanner = createScanner({ key: Buffer.from('test') });
const ALL = [...TOKEN_RULES, ...NAMED_RULES, ...STRUCTURAL_RULES];

describe('the table of rules', () => {
  it('holds at least 150 rules, each named once, of a known kind, with its source', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
    for (const rule of ALL) {
      expect(KINDS).toContain(rule.kind);
      expect(rule.source).toMatch(/^(?:https:\/\/|docs\/[\w-]+\.md$)/);
      expect(rule.title.length).toBeGreaterThan(3);
    }
  });
});

describe.each(TOKEN_RULES)('$id', (rule) => {
  it.each(rule.forms)('finds %s and nothing else of the line', (form) => {
    for (let round = 0; round < 5; round++) {
      const { text, value } = specimenOf(rule, form, `${rule.id} ${form} ${round}`);
      const line = `the deploy used ${text} yesterday`;
      const findings = scanner.scanText(line);
      expect(findings.map(({ start, end }) => line.slice(start, end))).toEqual([value]);
    }
  });

  it.each(rule.forms)('takes %s neither inside a longer word nor as a placeholder', (form) => {
    const { text } = specimenOf(rule, form, `${rule.id} ${form} counter`);
    const glued = form.startsWith('[') ? `_${text}` : /^[A-Za-z0-9]/.test(form) ? `word${text}` : '';
    expect(scanner.scanText(glued).filter(({ rule: id }) => id === rule.id)).toEqual([]);
    expect(scanner.scanText(`write ${placeholderOf(form)} there`)).toEqual([]);
  });
});

describe.each(NAMED_RULES)('$id', (rule) => {
  it('finds its values under its names only', () => {
    for (const word of rule.words) {
      for (const form of rule.values) {
        const run = form === 'uuid' ? '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}' : form;
        const { text } = specimenOf({}, run, `${rule.id} ${word} ${form}`);
        const line = `export ${word}_secret="${text}"`;
        const found = scanner.scanText(line).map(({ start, end }) => line.slice(start, end));
        expect(found).toEqual([text]);
        expect(scanner.scanText(`commit ${text} on main`)).toEqual([]);
      }
    }
  });
});
