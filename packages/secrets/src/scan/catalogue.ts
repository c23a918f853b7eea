import { type Automaton, buildAutomaton } from '../automaton/automaton.ts';
import { NAMED_RULES, STRUCTURAL_RULES, TOKEN_RULES } from '../rules/index.ts';
import type { RuleCard } from '../rules/rule.ts';
import { checkNamed, compileValue } from '../verify/named.ts';
import { compileShape } from '../verify/shape.ts';
import { checkToken } from '../verify/token.ts';
import type { Verdict, View } from '../verify/view.ts';

/** What is asked when a keyword was met, and the rule that answers. */
export interface Check {
  readonly rule: RuleCard;
  readonly run: (view: View, from: number, to: number) => Verdict;
}

/** A keyword of the automaton with its checks, in the order they are asked. */
export interface Keyword {
  readonly text: string;
  readonly checks: readonly Check[];
  /** The keyword is itself the beginning of the secret, in exactly these letters: a stream must not let it go. */
  readonly beginnings: readonly string[];
}

export interface Catalogue {
  readonly automaton: Automaton;
  readonly keywords: readonly Keyword[];
  readonly rules: readonly RuleCard[];
}

interface Draft {
  readonly checks: Check[];
  readonly beginnings: Set<string>;
}

/** All rules, compiled once. `entropy: false` leaves out the rules of that kind (decisions §10). */
export function compileCatalogue(entropy: boolean): Catalogue {
  const drafts = new Map<string, Draft>();
  const at = (keyword: string): Draft => {
    const key = keyword.toLowerCase();
    const draft = drafts.get(key) ?? { checks: [], beginnings: new Set() };
    drafts.set(key, draft);
    return draft;
  };
  const rules: RuleCard[] = [];
  for (const rule of TOKEN_RULES) {
    const card: RuleCard = { id: rule.id, title: rule.title, kind: rule.kind, confidence: 'high', source: rule.source };
    rules.push(card);
    for (const form of rule.forms) {
      const shape = compileShape(form);
      const draft = at(shape.keyword);
      draft.checks.push({ rule: card, run: (view, from) => checkToken(rule, shape, view, from) });
      if (shape.before.length === 0 && shape.inclusive) draft.beginnings.add(shape.keyword);
    }
  }
  for (const rule of STRUCTURAL_RULES) {
    if (rule.kind === 'entropy') continue;
    rules.push(rule);
    for (const keyword of rule.keywords) {
      at(keyword).checks.push({ rule, run: rule.check });
      if (rule.begins !== undefined) at(keyword).beginnings.add(rule.begins);
    }
  }
  for (const rule of NAMED_RULES) {
    const card: RuleCard = { id: rule.id, title: rule.title, kind: rule.kind, confidence: 'high', source: rule.source };
    rules.push(card);
    const forms = rule.values.map(compileValue);
    for (const word of rule.words) {
      at(word).checks.push({ rule: card, run: (view, from, to) => checkNamed(rule, forms, view, from, to) });
    }
  }
  for (const rule of STRUCTURAL_RULES) {
    if (rule.kind !== 'entropy' || !entropy) continue;
    rules.push(rule);
    for (const keyword of rule.keywords) at(keyword).checks.push({ rule, run: rule.check });
  }
  const keywords = [...drafts].map(([text, { checks, beginnings }]) => ({ text, checks, beginnings: [...beginnings] }));
  return { automaton: buildAutomaton(keywords.map(({ text }) => text)), keywords, rules };
}
