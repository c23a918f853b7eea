import { parseOwnRule, type Rule } from '../permissions/rule.ts';
import type { OrderedRule } from '../permissions/types.ts';
import { WrongUsage } from '../process/fault.ts';
import type { LoadedFile } from './load.ts';

/** The rules of the configuration, in the form that decisions take them. */
export interface PermissionSettings {
  readonly exclude: readonly Rule[];
  /** The later one wins. */
  readonly ordered: readonly OrderedRule[];
  /** Sentences about rules that do not count. */
  readonly notices: readonly string[];
}

/**
 * The rules of all files. Those of a project come last, and only make a session stricter: a cloned project must not allow
 * itself anything.
 */
export function permissionSettings(files: readonly LoadedFile[]): PermissionSettings {
  const trusted = files.filter(({ of }) => of !== 'project');
  const strangers = files.filter(({ of }) => of === 'project');
  const rules = (from: readonly LoadedFile[], list: 'allow' | 'ask' | 'exclude'): readonly Rule[] =>
    from.flatMap(({ value }) => (value.permissions?.[list] ?? []).map(ruleOf));
  const as = (decision: OrderedRule['decision'], list: readonly Rule[]): readonly OrderedRule[] =>
    list.map((rule) => ({ decision, rule }));
  return {
    exclude: rules(files, 'exclude'),
    ordered: [
      ...as('allow', rules(trusted, 'allow')),
      ...as('ask', rules(trusted, 'ask')),
      ...as('ask', rules(strangers, 'ask')),
    ],
    notices: strangers
      .filter(({ value }) => (value.permissions?.allow ?? []).length > 0)
      .map(
        ({ file }) =>
          `${file}: permissions.allow of a project does not count. Write these rules into ~/.gateway/config.yaml, or pass the file with --config, if you trust it.`,
      ),
  };
}

/** Texts that are no rule were refused when the file was read, but for those that a variable completes. */
function ruleOf(text: string): Rule {
  const read = parseOwnRule(text);
  if ('fault' in read) throw new WrongUsage(`permissions: ${JSON.stringify(text)} ${read.fault}.`);
  return read.rule;
}
