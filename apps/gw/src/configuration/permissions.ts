import { parseOwnRule, type Rule } from '../permissions/rule.ts';
import type { OrderedRule } from '../permissions/types.ts';
import { WrongUsage } from '../process/fault.ts';

/** The rules of the configuration, in the form that decisions take them. */
export interface PermissionSettings {
  readonly exclude: readonly Rule[];
  /** The later one wins. */
  readonly ordered: readonly OrderedRule[];
}

/** What a configuration file says about permissions. */
export interface PermissionLists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly exclude: readonly string[];
}

/** Of each file what is asked for outranks what is allowed; a later file outranks one before it. */
export function permissionSettings(files: readonly PermissionLists[]): PermissionSettings {
  const as = (decision: OrderedRule['decision'], list: readonly string[]): readonly OrderedRule[] =>
    list.map((text) => ({ decision, rule: ruleOf(text) }));
  return {
    exclude: files.flatMap(({ exclude }) => exclude.map(ruleOf)),
    ordered: files.flatMap(({ allow, ask }) => [...as('allow', allow), ...as('ask', ask)]),
  };
}

/** Texts that are no rule were refused when the file was read, but for those that a variable completes. */
function ruleOf(text: string): Rule {
  const read = parseOwnRule(text);
  if ('fault' in read) throw new WrongUsage(`permissions: ${JSON.stringify(text)} ${read.fault}.`);
  return read.rule;
}
