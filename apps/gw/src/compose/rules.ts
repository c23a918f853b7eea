import type { PolicyInForce } from '../agent/types.ts';
import type { Rules } from '../permissions/permissions.ts';
import { parseOwnRule, parseRule, type Rule } from '../permissions/rule.ts';
import { WrongUsage } from '../process/fault.ts';
import type { ToolOption } from './session-options.ts';

/** The rules of the command line. Throws `WrongUsage` naming the option and what is wrong with its rule. */
export function optionRules(tools: readonly ToolOption[]): Rules['options'] {
  const parsed = tools.map(({ option, rule: text }) => {
    const read = parseOwnRule(text);
    if ('fault' in read) throw new WrongUsage(`${option} ${JSON.stringify(text)} ${read.fault}.`);
    return { option, rule: read.rule };
  });
  return {
    exclude: parsed.flatMap(({ option, rule }) => (option === '--exclude' ? [rule] : [])),
    ordered: parsed.flatMap(({ option, rule }) =>
      option === '--exclude' ? [] : [{ decision: option === '--allow' ? ('allow' as const) : ('ask' as const), rule }],
    ),
  };
}

/** The rules of a policy. One that cannot be read excludes and asks more, never less: it counts for every tool. */
export function policyRules({ tools }: Pick<PolicyInForce, 'tools'>): Rules['policy'] {
  const rules = (names: readonly string[] | undefined, otherwise: Rule | null): readonly Rule[] =>
    (names ?? []).flatMap((text) => {
      const read = parseRule(text);
      if ('rule' in read) return [read.rule];
      return otherwise === null ? [] : [{ ...otherwise, text }];
    });
  const every: Rule = { tool: '*', pattern: null, text: '*' };
  return { exclude: rules(tools.exclude, every), ask: rules(tools.ask, every), allow: rules(tools.allow, null) };
}
