import type { Json, Organization, PolicyInForce, RecordWriter } from '../agent/types.ts';
import type { ModelGuard } from './model-guard.ts';
import { policyRules } from './rules.ts';

/** The policy that counts now; a change of it is recorded. */
export function followPolicy(organization: Organization, record: RecordWriter, models: Pick<ModelGuard, 'follow'>) {
  let revision: Json = null;
  let document: Json = null;
  let rules = policyRules({ tools: {} });
  let commands: PolicyInForce['commands'] = 'workstation';
  return {
    rules: () => rules,
    /** Where the commands of agents run now. */
    commands: () => commands,
    async refresh(): Promise<readonly string[]> {
      const policy = await organization.policy();
      if (policy.revision !== revision) {
        const change = { revision: policy.revision, source: policy.source, before: document, after: policy.document };
        await record.append({ kind: 'policy-change', ...change });
        revision = policy.revision;
        document = policy.document;
      }
      rules = policyRules(policy);
      models.follow(policy.document);
      commands = policy.commands;
      return policy.notice === null ? [] : [policy.notice];
    },
  };
}
