import { type Automaton, buildAutomaton } from '../automaton/automaton.ts';
import { NAMED_RULES, STRUCTURAL_RULES, TOKEN_RULES } from '../rules/index.ts';
import { BASE64_ANY, type Charset, charset, union } from '../text/charset.ts';
import { AFTER_NAME } from '../verify/assignments/assignment.ts';
import { checkNamed, compileValue } from '../verify/assignments/named.ts';
import { beginsApart, beginsHere } from '../verify/boundary.ts';
import { headerStart } from '../verify/pem/pem.ts';
import type { RuleCard } from '../verify/rule.ts';
import { compileShape, type StartOf, startOf } from '../verify/tokens/shape.ts';
import { checkToken } from '../verify/tokens/token.ts';
import { checkWrapped, wrappedBeginning } from '../verify/tokens/wrapped-token.ts';
import type { Verdict, View } from '../verify/view.ts';

/** What is asked when a keyword was met, and the rule that answers. */
export interface Check {
  readonly rule: RuleCard;
  /** Bytes that can follow the keyword; null when any can. Spares the call where the very next byte decides. */
  readonly follows: Charset | null;
  readonly run: (view: View, from: number, to: number) => Verdict;
}

/** A keyword of the automaton with its checks, in the order they are asked. */
export interface Keyword {
  readonly text: string;
  readonly checks: readonly Check[];
  /** Bytes after which any of the checks can succeed; null when all can. */
  readonly follows: Charset | null;
  /** Set where the keyword is itself part of the secret: a stream must not let its beginning go. */
  readonly beginnings: readonly Beginning[];
  /** A secret may begin before the keyword: a form with something before its literal. */
  readonly behind: boolean;
}

/** A keyword, in exactly the letters it is written with. */
export interface Beginning {
  readonly text: string;
  /** Where the secret begins whose keyword stands there; -1 when none can. */
  readonly startOf: StartOf;
}

export interface Catalogue {
  readonly automaton: Automaton;
  readonly keywords: readonly Keyword[];
  readonly rules: readonly RuleCard[];
}

interface Draft {
  readonly checks: Check[];
  readonly beginnings: Beginning[];
  behind: boolean;
}

function beginningOf(text: string): Beginning {
  return {
    text,
    startOf: (view, from) => (beginsHere(view, from) && !isOption(view, from) ? headerStart(view, from) : -1),
  };
}

/** Base64 may hold hyphens. */
const startsApart: StartOf = (view, from) => (beginsApart(view, from) ? from : -1);

const HYPHEN = 0x2d;
const OPENING_PARENTHESIS = 0x28;
const HYPHENS = charset('-');

/** Hyphens behind a parenthesis begin a name (`var(--colour)`), no header of a key. */
function isOption(view: View, from: number): boolean {
  return view.at(from) === HYPHEN && view.at(view.runStart(HYPHENS, from, 4) - 1) === OPENING_PARENTHESIS;
}

/** What a form of its own proves is sure. */
function cardOf({ id, title, kind, source }: Omit<RuleCard, 'confidence'>): RuleCard {
  return { id, title, kind, confidence: 'high', source };
}

/** All rules, compiled once. `entropy: false` leaves out the rules of that kind (decisions §10). */
export function compileCatalogue(entropy: boolean): Catalogue {
  const drafts = new Map<string, Draft>();
  const at = (keyword: string): Draft => {
    const key = keyword.toLowerCase();
    const draft = drafts.get(key) ?? { checks: [], beginnings: [], behind: false };
    drafts.set(key, draft);
    return draft;
  };
  const rules: RuleCard[] = [];
  for (const rule of TOKEN_RULES) {
    const card = cardOf(rule);
    rules.push(card);
    for (const form of rule.forms) {
      const shape = compileShape(form);
      const draft = at(shape.keyword);
      draft.checks.push({
        rule: card,
        follows: shape.follows,
        run: (view, from) => checkToken(rule, shape, view, from),
      });
      draft.behind ||= shape.before.length > 0;
      if (shape.inclusive) draft.beginnings.push({ text: shape.keyword, startOf: startOf(shape) });
      const letters = rule.wrapped ? wrappedBeginning(shape) : null;
      if (letters === null) continue;
      const run: Check['run'] = (view, from) => checkWrapped(rule, shape, letters, view, from);
      at(letters).checks.push({ rule: card, follows: BASE64_ANY, run });
      at(letters).beginnings.push({ text: letters, startOf: startsApart });
    }
  }
  for (const rule of STRUCTURAL_RULES) {
    if (rule.kind === 'entropy') continue;
    rules.push(rule);
    for (const keyword of rule.keywords) {
      const draft = at(keyword);
      draft.checks.push({ rule, follows: rule.follows ?? null, run: rule.check });
      if (rule.begins !== undefined) draft.beginnings.push(beginningOf(rule.begins));
      if (rule.secretBefore === undefined) continue;
      draft.beginnings.push({ text: keyword, startOf: rule.secretBefore });
      draft.behind = true;
    }
  }
  for (const rule of NAMED_RULES) {
    const card = cardOf(rule);
    rules.push(card);
    const forms = rule.values.map(compileValue);
    for (const word of rule.words) {
      at(word).checks.push({
        rule: card,
        follows: AFTER_NAME,
        run: (view, from, to) => checkNamed(forms, view, from, to),
      });
    }
  }
  for (const rule of STRUCTURAL_RULES) {
    if (rule.kind !== 'entropy' || !entropy) continue;
    rules.push(rule);
    for (const keyword of rule.keywords)
      at(keyword).checks.push({ rule, follows: rule.follows ?? null, run: rule.check });
  }
  const keywords = [...drafts].map(([text, { checks, beginnings, behind }]) => {
    const follows = checks.map((check) => check.follows).filter((set) => set !== null);
    return { text, checks, follows: follows.length === checks.length ? union(...follows) : null, beginnings, behind };
  });
  return { automaton: buildAutomaton(keywords.map(({ text }) => text)), keywords, rules };
}
