import { isWithin } from './bash/resolved-path.ts';
import { decideCommand } from './decide-command.ts';
import { askDecision, collectExclusions, denyDecision, GIT_FILES, OWN_FILES, weaken } from './decisions.ts';
import { hostMatches } from './host-pattern.ts';
import { rank } from './layers.ts';
import { pathIsCovered, pathMayMatch } from './path-pattern.ts';
import { isAbout, type Rule } from './rule.ts';
import type { Call, Decision, RuleSet } from './types.ts';

/**
 * What happens with a call: a pure function of rules and call. The order is: exclusions of the organization, of the
 * command line and of the configuration; plan mode; the organization's ask; `--ask` and `--allow`; the configuration;
 * saved approvals; the organization's allow; defaults. Auto mode then turns ask into allow, but for what always asks.
 */
export function decide(rules: RuleSet, call: Call): Decision {
  if (call.line !== undefined) return decideCommand(rules, call, call.line, decideOther);
  return decideOther(rules, call);
}

function decideOther(rules: RuleSet, call: Call): Decision {
  const found = rank(rules, call.tool, call.effect, {
    covered: (rule) => isCovered(rule, call),
    mayMatch: (rule) => mayMatch(rule, call),
    keys: [approvalKey(call)],
  });
  if (found.decision === 'deny') return found;
  if (rules.mode === 'plan' && (call.effect === 'write' || call.effect === 'execute')) {
    return denyDecision(call.tool, 'plan mode', 'Plan mode changes nothing.');
  }
  if (call.tool === 'AskQuestion' && !rules.interactive) {
    return denyDecision(call.tool, 'headless', 'Nobody can answer a question in headless mode.');
  }
  if (call.effect === 'write' && isWithin(rules.ownFolder, call.resolved?.path))
    return askDecision(call.tool, 'always asks', OWN_FILES);
  const outside = call.target.kind === 'path' && call.resolved !== undefined && !isInside(rules, call);
  const asksForGit =
    call.effect === 'write' && found.decision === 'allow' && found.source !== 'saved' && !found.rule.includes('(');
  if (asksForGit && /(?:^|\/)\.git(?:\/|$)/i.test(call.resolved?.path ?? ''))
    return weaken(rules, askDecision(call.tool, 'always asks', GIT_FILES));
  // A rule with a pattern covers a path outside only where the pattern is absolute: then the path was meant.
  if (outside && found.decision === 'allow' && found.source !== 'saved' && !found.rule.includes('(')) {
    return weaken(rules, askDecision(call.tool, 'outside', 'The path leads outside the project.'));
  }
  return weaken(rules, found);
}

/** In the project, or in a folder that the person added. gw's own folder is in neither. */
function isInside({ addedFolders = [], skillFolders = [], ownFolder }: RuleSet, { resolved, effect }: Call): boolean {
  if (resolved == null) return false;
  if (resolved.relative !== null) return true;
  if (effect === 'read' && skillFolders.some((folder) => isWithin(folder, resolved.path))) return true;
  return !isWithin(ownFolder, resolved.path) && addedFolders.some((folder) => isWithin(folder, resolved.path));
}

function isCovered({ pattern }: Rule, call: Call): boolean {
  if (pattern === null) return true;
  if (call.target.kind === 'host') return hostMatches(pattern, call.target.value);
  return call.target.kind === 'path' && pathIsCovered(pattern, call.resolved);
}

function mayMatch({ pattern }: Rule, call: Call): boolean {
  if (pattern === null) return true;
  if (call.target.kind === 'host') return hostMatches(pattern, call.target.value);
  if (call.target.kind === 'path')
    return call.resolved === null || pathMayMatch(pattern, call.resolved, call.target.value);
  return true; // an exclusion with a pattern that this tool does not know
}

/** Names exactly this call, to remember its approval; of a tool that changes a file, the tool and the file. */
export function approvalKey({ tool, target, resolved, exact }: Call): string {
  return JSON.stringify([tool, target.kind, resolved?.path ?? target.value, ...(exact === undefined ? [] : [exact])]);
}

/** Whether the model is offered a tool at all: not where every call of it is excluded. */
export function isOffered(rules: RuleSet, tool: string): boolean {
  return collectExclusions(rules).every(({ rule }) => rule.pattern !== null || !isAbout(rule, tool));
}
