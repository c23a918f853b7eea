import { AI_RULES, AI_TOOL_RULES } from '../rules/ai.ts';
import { PAYMENT_RULES, SAAS_RULES } from '../rules/business.ts';
import { CLOUD_RULES, DATABASE_RULES, NETWORK_RULES } from '../rules/cloud.ts';
import { DEVELOPER_RULES, REGISTRY_RULES, SOURCE_HOSTING_RULES } from '../rules/developer.ts';
import { IDENTITY_RULES, SESSION_RULES, VAULT_RULES } from '../rules/identity.ts';
import { CHAT_RULES, MAIL_RULES } from '../rules/messaging.ts';
import { NAMED_RULES } from '../rules/named.ts';
import { DELIVERY_RULES, MONITORING_RULES } from '../rules/operations.ts';
import { STRUCTURAL_RULES } from '../rules/structural.ts';
import { BASE64_ANY, charset } from '../text/charset.ts';
import { AFTER_NAME } from '../verify/assignments/assignment.ts';
import { checkNamed, compileValue, type ValueForm } from '../verify/assignments/named.ts';
import { beginsApart, beginsHere } from '../verify/boundary.ts';
import { headerStart } from '../verify/pem.ts';
import type { NamedRule, RuleCard, StructuralRule, TokenRule } from '../verify/rule.ts';
import {
  checkToken,
  checkWrapped,
  keywordOf,
  readWrappedBeginning,
  type StartOf,
  shapeOf,
  startOf,
} from '../verify/token.ts';
import type { View } from '../verify/view.ts';
import { type Automaton, automatonFor, packAutomaton } from './automaton.ts';
import { type Beginning, type Check, type Keyword, LazyKeyword, type Part } from './keyword.ts';

export interface Catalogue {
  readonly automaton: Automaton;
  readonly keywords: readonly Keyword[];
  readonly rules: readonly RuleCard[];
}

function beginningOf(text: string): Beginning {
  return {
    text,
    startOf: (view, from) => (beginsHere(view, from) && !isOption(view, from) ? headerStart(view, from) : -1),
  };
}

/** Base64 may contain hyphens. */
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

function tokenPart(rule: TokenRule, card: RuleCard, form: string): Part {
  const shape = shapeOf(form);
  return {
    check: { rule: card, follows: shape.follows, run: (view, from) => checkToken(rule, shape, view, from) },
    beginnings: shape.inclusive ? [{ text: shape.keyword, startOf: startOf(shape) }] : [],
    behind: shape.before.length > 0,
  };
}

function makeWrappedPart(rule: TokenRule, card: RuleCard, form: string, letters: string): Part {
  const run: Check['run'] = (view, from) => checkWrapped(rule, shapeOf(form), letters, view, from);
  return {
    check: { rule: card, follows: BASE64_ANY, run },
    beginnings: [{ text: letters, startOf: startsApart }],
  };
}

function structuralPart(rule: StructuralRule, keyword: string): Part {
  const beginnings = rule.begins === undefined ? [] : [beginningOf(rule.begins)];
  if (rule.secretBefore !== undefined) beginnings.push({ text: keyword, startOf: rule.secretBefore });
  return {
    check: { rule, follows: rule.follows ?? null, run: rule.check },
    beginnings,
    behind: rule.secretBefore !== undefined,
  };
}

/** @returns what the rule adds to each of its words. */
function makeNamedPart(rule: NamedRule, card: RuleCard): () => Part {
  let forms: readonly ValueForm[] | null = null;
  const run: Check['run'] = (view, from, to) => checkNamed((forms ??= rule.values.map(compileValue)), view, from, to);
  return () => ({ check: { rule: card, follows: AFTER_NAME, run } });
}

/** All rules. `entropy: false` leaves out the rules of that kind (relay-33). */
export function compileCatalogue(entropy: boolean): Catalogue {
  const { keywords, rules } = collect(entropy);
  return { automaton: automatonFor(keywords.map(({ text }) => text)), keywords, rules };
}

/** The automaton of all rules, for `usePreparedAutomaton`. */
export function loadAutomaton(): Int32Array {
  return packAutomaton(collect(true).keywords.map(({ text }) => text));
}

function collect(entropy: boolean): Omit<Catalogue, 'automaton'> {
  const found = new Map<string, LazyKeyword>();
  const add = (word: string, rule: () => Part): void => {
    const text = word.toLowerCase();
    let keyword = found.get(text);
    if (keyword === undefined) found.set(text, (keyword = new LazyKeyword(text)));
    keyword.add(rule);
  };
  const rules: RuleCard[] = [];
  for (const rule of TOKEN_RULES) {
    const card = cardOf(rule);
    rules.push(card);
    for (const form of rule.forms) {
      add(keywordOf(form), () => tokenPart(rule, card, form));
      const letters = rule.wrapped ? readWrappedBeginning(form) : null;
      if (letters !== null) add(letters, () => makeWrappedPart(rule, card, form, letters));
    }
  }
  const addStructural = (rule: StructuralRule): void => {
    rules.push(rule);
    for (const keyword of rule.keywords) add(keyword, () => structuralPart(rule, keyword));
  };
  STRUCTURAL_RULES.filter(({ kind }) => kind !== 'entropy').forEach(addStructural);
  for (const rule of NAMED_RULES) {
    const card = cardOf(rule);
    rules.push(card);
    const part = makeNamedPart(rule, card);
    for (const word of new Set(rule.words.flatMap((each) => [each, each.replaceAll('_', '-')]))) add(word, part);
  }
  if (entropy) STRUCTURAL_RULES.filter(({ kind }) => kind === 'entropy').forEach(addStructural);
  return { keywords: [...found.values()], rules };
}

/** Every token that is known by its form, in the order they are asked. */
export const TOKEN_RULES: readonly TokenRule[] = [
  ...CLOUD_RULES,
  ...NETWORK_RULES,
  ...VAULT_RULES,
  ...SOURCE_HOSTING_RULES,
  ...DELIVERY_RULES,
  ...REGISTRY_RULES,
  ...CHAT_RULES,
  ...DEVELOPER_RULES,
  ...PAYMENT_RULES,
  ...MAIL_RULES,
  ...MONITORING_RULES,
  ...DATABASE_RULES,
  ...AI_RULES,
  ...AI_TOOL_RULES,
  ...IDENTITY_RULES,
  ...SAAS_RULES,
  ...SESSION_RULES,
];
