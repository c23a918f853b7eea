import type { Rule } from './rule.ts';
import type { Decision, RuleSet } from './types.ts';

/** Why a write below `~/.gateway` asks, even if allowed: a session could give itself more rights there. */
export const OWN_FILES = 'The path belongs to gw: its configuration, approvals, sessions and record.';

/** Why a write below `.git` asks where Write as a whole is allowed: hooks and settings there start programs. */
export const GIT_FILES = 'The path belongs to git, which runs programs that its files name.';

export function denyDecision(rule: string, source: string, reason: string): Decision {
  return { decision: 'deny', rule, source, reason, authorizedBy: 'policy' };
}

/** Approved by a person, if it is approved. */
export function askDecision(rule: string, source: string, reason: string): Decision {
  return { decision: 'ask', rule, source, reason, authorizedBy: 'human' };
}

export function allowDecision(
  rule: string,
  source: string,
  reason: string,
  authorizedBy: Decision['authorizedBy'] = 'policy',
): Decision {
  return { decision: 'allow', rule, source, reason, authorizedBy };
}

/** Auto mode allows what would be asked. */
export function weaken(rules: RuleSet, decision: Decision): Decision {
  if (rules.mode !== 'auto' || decision.decision !== 'ask') return decision;
  return allowDecision(decision.rule, 'auto mode', 'Auto mode allows what would be asked.', 'automatic');
}

const STRENGTH = { deny: 2, ask: 1, allow: 0 } as const;

/** The strictest of several decisions; of equally strict ones the first. */
export function strictest(decisions: readonly [Decision, ...Decision[]]): Decision {
  return decisions.reduce((one, other) => (STRENGTH[other.decision] > STRENGTH[one.decision] ? other : one));
}

/** Every exclusion with its source, in their rank. */
export function collectExclusions(
  rules: RuleSet,
): readonly { readonly rule: Rule; readonly source: string; readonly reason: string }[] {
  return [
    ...rules.policy.exclude.map((rule) => ({
      rule,
      source: 'policy',
      reason: `The organization's policy excludes ${rule.text}.`,
    })),
    ...rules.options.exclude.map((rule) => ({
      rule,
      source: '--exclude',
      reason: `--exclude ${rule.text} excludes it.`,
    })),
    ...rules.configuration.exclude.map((rule) => ({
      rule,
      source: 'configuration',
      reason: `The configuration excludes ${rule.text}.`,
    })),
  ];
}
