import type { Workspace } from '../../compose/workspace.ts';
import { approvalText } from '../../permissions/approvals.ts';

/** The output of `/permissions`: the rules except those of the organization, and the approvals stored for the project. */
export async function permissionLines(workspace: Workspace): Promise<readonly string[]> {
  const { optionRules, settings, approvals, project } = workspace;
  const rules = [
    ...optionRules.exclude.map(({ text }) => `--exclude      ${text}`),
    ...optionRules.ordered.map(({ decision, rule }) => `--${decision.padEnd(11)}  ${rule.text}`),
    ...settings.permissions.exclude.map(({ text }) => `configuration  exclude ${text}`),
    ...settings.permissions.ordered.map(({ decision, rule }) => `configuration  ${decision} ${rule.text}`),
  ];
  const kept = await approvals.kept();
  return [
    ...(rules.length === 0 ? ['No rule of the command line or the configuration.'] : rules),
    kept.length === 0
      ? 'No call is always approved in this project.'
      : 'Always approved in this project (/permissions forget removes them):',
    ...kept.map(({ key, at }) => `  ${at.slice(0, 10)}  ${approvalText(key, project.directory)}`),
    'Rules of your organization: run gw policy.',
  ];
}
