import { isAbsolute } from 'node:path';
import type { Effect, Mode, PermissionDecision } from '../../agent/types/index.ts';
import { sessionApprovals } from '../approvals.ts';
import { createPermissions, type Rules } from '../permissions.ts';
import { type OrderedRule, parseRule, type Rule } from '../rule.ts';

export function rule(text: string): Rule {
  const parsed = parseRule(text);
  if ('fault' in parsed) throw new Error(`${text} ${parsed.fault}`);
  return parsed.rule;
}

/** Options as on a command line, and what the organization says. */
export function rulesOf(
  words: string,
  policy: Partial<Record<'exclude' | 'ask' | 'allow', string[]>> = {},
  more: Partial<Rules> = {},
): Rules {
  const exclude: Rule[] = [];
  const ordered: OrderedRule[] = [];
  for (const [, option, text = ''] of words.matchAll(/--(allow|ask|exclude) ([^\s(]+(?:\([^)]*\))?)/g)) {
    if (option === 'exclude') exclude.push(rule(text));
    else ordered.push({ decision: option === 'allow' ? 'allow' : 'ask', rule: rule(text) });
  }
  return {
    policy: {
      exclude: (policy.exclude ?? []).map(rule),
      ask: (policy.ask ?? []).map(rule),
      allow: (policy.allow ?? []).map(rule),
    },
    options: { exclude, ordered },
    configuration: { exclude: [], ordered: [] },
    interactive: true,
    ownFolder: null,
    ...more,
  };
}

const EFFECTS: Readonly<Record<string, Effect>> = {
  Read: 'read',
  List: 'read',
  Search: 'read',
  Write: 'write',
  Edit: 'write',
  Bash: 'execute',
  Fetch: 'network',
};

/** Judges one call of a tool in a project. */
export function judge(
  tool: string,
  value: string,
  rules: Rules,
  mode: Mode = 'normal',
  project = '/project',
  approvals = sessionApprovals(),
  sandbox = false,
  aliases: ReadonlyMap<string, string> = new Map(),
): Promise<PermissionDecision> {
  const kind = tool === 'Bash' ? 'command' : tool === 'Fetch' || tool.startsWith('mcp__') ? 'host' : 'path';
  if (!isAbsolute(project)) throw new Error(project);
  const call = { tool, effect: EFFECTS[tool] ?? 'none', target: { kind, value }, args: {} } as const;
  return createPermissions({
    project,
    directory: project,
    rules: () => rules,
    approvals,
    mask: () => ({ masked: 0 }),
    hasReadOnlySandbox: async () => sandbox,
    gitAliases: async () => aliases,
    gitStarts: async () => null,
  }).judge(call, mode);
}
