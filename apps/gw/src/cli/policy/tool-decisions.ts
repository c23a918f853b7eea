import type { Effect, PolicyInForce } from '../../agent/types.ts';
import { policyRules } from '../../compose/rules.ts';
import { rank } from '../../permissions/layers.ts';
import type { Rule } from '../../permissions/rule.ts';
import { isAbout } from '../../permissions/rule.ts';

/** The tools of the contract that every session has, by what they do. */
const TOOLS: Readonly<Record<string, Effect>> = {
  Read: 'read',
  List: 'read',
  Search: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  Bash: 'execute',
  BashOutput: 'none',
  BashStop: 'none',
  Fetch: 'network',
  Checklist: 'none',
  AskQuestion: 'none',
  Agent: 'none',
};

export interface ToolDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** `exclude Bash`, `ask Write`, `default`. */
  readonly rule: string;
  /** Rules of the policy for some calls of the tool only: `exclude Bash(rm *)`. */
  readonly patterns: readonly string[];
}

/** What a policy decides about each tool, without options, configuration and approvals. */
export function toolDecisions(tools: PolicyInForce['tools']): Readonly<Record<string, ToolDecision>> {
  const policy = policyRules({ tools });
  const layer = { exclude: [], ordered: [] };
  const rules = { mode: 'normal', policy, options: layer, configuration: layer, saved: new Set<string>() } as const;
  const whole = (rule: Rule): boolean => rule.pattern === null;
  const matcher = { covered: whole, mayMatch: whole, keys: [] };
  const lists = [
    ['exclude', policy.exclude],
    ['ask', policy.ask],
    ['allow', policy.allow],
  ] as const;
  const decided = Object.entries(TOOLS).map(([tool, effect]): [string, ToolDecision] => {
    const about = lists.flatMap(([list, all]) =>
      all.filter((rule) => isAbout(rule, tool)).map((rule) => ({ list, rule })),
    );
    const { decision, source } = rank(
      { ...rules, readOnlySandbox: false, interactive: true, ownFolder: null },
      tool,
      effect,
      matcher,
    );
    const found = about.find(({ rule }) => whole(rule));
    return [
      tool,
      {
        decision,
        rule: source === 'policy' && found !== undefined ? `${found.list} ${found.rule.text}` : 'default',
        patterns: about.filter(({ rule }) => !whole(rule)).map(({ list, rule }) => `${list} ${rule.text}`),
      },
    ];
  });
  return Object.fromEntries(decided);
}
