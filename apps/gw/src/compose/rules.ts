import type { PolicyInForce } from '../agent/types/index.ts';
import { expandHome } from '../files/listing.ts';
import type { Rules } from '../permissions/permissions.ts';
import { parseOwnRule, parseRule, type Rule } from '../permissions/rule.ts';
import { WrongUsage } from '../process/fault.ts';
import type { ToolOption } from './session-options.ts';

/** The rules of the command line. Throws `WrongUsage` naming the option and what is wrong with its rule. */
export function optionRules(tools: readonly ToolOption[], home: string | null = null): Rules['options'] {
  const parsed = tools.map(({ option, rule: text }) => {
    const read = parseOwnRule(text);
    if ('fault' in read) throw new WrongUsage(`${option} ${JSON.stringify(text)} ${read.fault}.`);
    return { option, rule: withHome(read.rule, home) };
  });
  return {
    exclude: parsed.flatMap(({ option, rule }) => (option === '--exclude' ? [rule] : [])),
    ordered: parsed.flatMap(({ option, rule }) =>
      option === '--exclude' ? [] : [{ decision: option === '--allow' ? ('allow' as const) : ('ask' as const), rule }],
    ),
  };
}

const FILE_TOOLS = /^(?:read|list|search|write|edit|multiedit)$/i;

/** `Read(~/notes/**)` means the home directory. */
function withHome(rule: Rule, home: string | null): Rule {
  if (rule.pattern === null || !FILE_TOOLS.test(rule.tool)) return rule;
  return { ...rule, pattern: expandHome(rule.pattern, home) };
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
