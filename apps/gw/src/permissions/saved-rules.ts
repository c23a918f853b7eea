import { parseRule, type Rule } from './rule.ts';

/** The key under which a rule is saved. */
export function ruleKey(rule: string): string {
  return JSON.stringify(['rule', rule]);
}

/** The saved rules among the keys of approvals. */
export function rulesAmong(keys: ReadonlySet<string>): readonly Rule[] {
  return [...keys].flatMap((key) => {
    if (!key.startsWith('["rule",')) return [];
    const parsed = parseRule(String((JSON.parse(key) as readonly unknown[])[1]));
    return 'rule' in parsed ? [parsed.rule] : [];
  });
}
