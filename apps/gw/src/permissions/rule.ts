import type { Effect, Mode, PermissionDecision, ToolTarget } from '../agent/types/index.ts';
import type { ResolvedPath } from './bash/resolved-path.ts';
import type { ParsedLine } from './bash/types.ts';

/** `Tool` or `Tool(pattern)`, as a person or an organization wrote it. */
export interface Rule {
  readonly tool: string;
  /** Null: every call of the tool. */
  readonly pattern: string | null;
  readonly text: string;
}

/** A rule, or why the text is none: the end of a sentence that begins with the text. */
export function parseRule(text: string): { readonly rule: Rule } | { readonly fault: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'is empty: name a tool, for example Write or Bash(git status)' };
  const found = /^([^\s()]+)(?:\(([\s\S]*)\))?$/.exec(trimmed);
  const [, tool, pattern = null] = found ?? [];
  if (tool === undefined) return { fault: 'is not a rule: write Tool or Tool(pattern), for example Bash(npm run *)' };
  if (pattern?.trim() === '') return { fault: `has an empty pattern: write ${tool} for every call of the tool` };
  if (pattern?.startsWith('!')) return { fault: 'must not begin its pattern with "!": use --exclude instead' };
  return { rule: { tool, pattern: pattern?.trim() ?? null, text: trimmed } };
}

/** The tools of the client itself. */
export const TOOL_NAMES: readonly string[] =
  'Read List Search Write Edit MultiEdit Bash BashOutput BashStop Fetch Checklist AskQuestion Agent Status'.split(' ');

/** The same for a rule that a person wrote: a misspelt tool is refused, because an exclusion of it would exclude nothing. */
export function parseOwnRule(text: string): ReturnType<typeof parseRule> {
  const read = parseRule(text);
  if ('fault' in read || /[*]|^mcp__/i.test(read.rule.tool) || TOOL_NAMES.some((tool) => isAbout(read.rule, tool)))
    return read;
  return { fault: `names no tool: tools are ${TOOL_NAMES.join(', ')} and mcp__<server>__<tool>` };
}

/** Whether a rule applies to a tool. Letter case is ignored; `*` matches any text (`mcp__files__*`). */
export function isAbout(rule: Rule, tool: string): boolean {
  return matchesText(rule.tool.toLowerCase(), tool.toLowerCase());
}

/** Whether a text matches a pattern in which `*` matches any text. */
export function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}

/** A rule that allows or asks; of several that meet a call the last one in the list counts. */
export interface OrderedRule {
  readonly decision: 'allow' | 'ask';
  readonly rule: Rule;
}

/** Everything that decides about calls, as a value. The order of the members is their rank. */
export interface RuleSet {
  readonly mode: Mode;
  /** The organization's policy. */
  readonly policy: {
    readonly exclude: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly allow: readonly Rule[];
  };
  /** `--exclude`, `--ask` and `--allow`, in the order of the command line. */
  readonly options: { readonly exclude: readonly Rule[]; readonly ordered: readonly OrderedRule[] };
  /** The configuration and the agent's file. */
  readonly configuration: { readonly exclude: readonly Rule[]; readonly ordered: readonly OrderedRule[] };
  /** Keys of approved calls (`approvalKey`). */
  readonly saved: ReadonlySet<string>;
  /** Commands run in a sandbox that cannot write, in plan mode. */
  readonly readOnlySandbox: boolean;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** Where gw keeps its configuration, approvals and record: absolute, links resolved. Writing there always asks. */
  readonly ownFolder: string | null;
  /** Folders of `--add-dir`, part of the project for the file tools: absolute, links resolved. */
  readonly addedFolders?: readonly string[];
  /** Folders of the user's own skills: reading there needs no question. */
  readonly skillFolders?: readonly string[];
}

/** A call with everything that had to be looked up, so that judging it is a pure function. */
export interface Call {
  readonly tool: string;
  readonly effect: Effect;
  readonly target: ToolTarget;
  /** Of a target that is a path: where it leads; null where it cannot be found out. */
  readonly resolved?: ResolvedPath | null;
  /** The arguments of a call that no path identifies: an address, a tool of a server. */
  readonly exact?: string;
  /** Of a Bash line. */
  readonly line?: ParsedLine;
}

export type Decision = PermissionDecision;

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
