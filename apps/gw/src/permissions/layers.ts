import type { Effect } from '../agent/types/index.ts';
import {
  allowDecision,
  askDecision,
  collectExclusions,
  type Decision,
  denyDecision,
  isAbout,
  type OrderedRule,
  parseRule,
  type Rule,
  type RuleSet,
} from './rule.ts';

/** How rules meet the thing that is judged. */
export interface Matcher {
  /** The rule surely covers it: for what allows. */
  readonly covered: (rule: Rule) => boolean;
  /** The rule may be about it: for what excludes or asks. */
  readonly mayMatch: (rule: Rule) => boolean;
  /** It is approved where all of these are saved. */
  readonly keys: readonly string[];
}

/** The first layer that has something to say decides. */
export function rank(rules: RuleSet, tool: string, effect: Effect, matcher: Matcher): Decision {
  const exclusion = collectExclusions(rules).find(({ rule }) => isAbout(rule, tool) && matcher.mayMatch(rule));
  if (exclusion !== undefined) return denyDecision(exclusion.rule.text, exclusion.source, exclusion.reason);
  const ask = rules.policy.ask.find((rule) => isAbout(rule, tool) && matcher.mayMatch(rule));
  if (ask !== undefined)
    return askDecision(ask.text, 'policy', `The organization's policy wants ${ask.text} to be asked.`);
  return (
    findOrdered(rules.options.ordered, tool, matcher, (one) => `--${one.decision}`) ??
    findOrdered(rules.configuration.ordered, tool, matcher, () => 'configuration') ??
    findApproval(rules, tool, matcher) ??
    findSavedRule(rules, tool, matcher) ??
    lenient(rules, tool, matcher) ??
    byDefault(tool, effect)
  );
}

function findOrdered(
  list: readonly OrderedRule[],
  tool: string,
  matcher: Matcher,
  source: (one: OrderedRule) => string,
): Decision | null {
  const meets = ({ decision, rule }: OrderedRule): boolean =>
    isAbout(rule, tool) && (decision === 'allow' ? matcher.covered(rule) : matcher.mayMatch(rule));
  const found = list.findLast(meets);
  if (found === undefined) return null;
  const { rule } = found;
  if (found.decision === 'allow') return allowDecision(rule.text, source(found), `${rule.text} is allowed.`);
  return askDecision(rule.text, source(found), `${rule.text} is to be asked.`);
}

function findApproval(rules: RuleSet, tool: string, { keys }: Matcher): Decision | null {
  const all = keys.length > 0 && keys.every((key) => rules.saved.has(key));
  return all ? allowDecision(tool, 'saved', 'It was approved before.', 'human') : null;
}

/** A rule that was saved with an approval counts as one of the configuration. */
function findSavedRule({ saved }: RuleSet, tool: string, { covered }: Matcher): Decision | null {
  const rule = rulesAmong(saved).find((one) => isAbout(one, tool) && covered(one));
  return rule === undefined
    ? null
    : allowDecision(rule.text, 'saved rule', `${rule.text} was approved before.`, 'human');
}

function lenient(rules: RuleSet, tool: string, matcher: Matcher): Decision | null {
  const allow = rules.policy.allow.find((rule) => isAbout(rule, tool) && matcher.covered(rule));
  return allow === undefined
    ? null
    : allowDecision(allow.text, 'policy', `The organization's policy allows ${allow.text}.`);
}

function byDefault(tool: string, effect: Effect): Decision {
  if (effect === 'none' || effect === 'read') return allowDecision(tool, 'default', `${tool} is allowed.`, 'automatic');
  return askDecision(tool, 'default', `${tool} needs an approval.`);
}

/** The key under which a rule is saved. */
export function ruleKey(rule: string): string {
  return JSON.stringify(['rule', rule]);
}

/** The saved rules among the keys of approvals. */
function rulesAmong(keys: ReadonlySet<string>): readonly Rule[] {
  return [...keys].flatMap((key) => {
    if (!key.startsWith('["rule",')) return [];
    const parsed = parseRule(String((JSON.parse(key) as readonly unknown[])[1]));
    return 'rule' in parsed ? [parsed.rule] : [];
  });
}
