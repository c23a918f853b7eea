import type { ARCHIVE_ACTION } from '../audit-log/index.ts';
import type { AccountKey } from '../queries/console/account-keys.ts';
import type { SessionRevocation } from '../queries/console/agent-sessions.ts';
import type { Endpoint } from '../queries/console/endpoints.ts';
import type { GroupRole, ProvisionedGroup, ProvisionedUser, RoleAssignment } from '../queries/console/groups.ts';
import type { LockedUser, User } from '../queries/console/hosted/accounts.ts';
import type { MemberPlan, Plan } from '../queries/console/hosted/plans.ts';
import type { BudgetAlert } from '../queries/console/hosted/spending-caps.ts';
import type { Model } from '../queries/console/models.ts';
import type { PolicyRevision } from '../queries/console/policies.ts';
import type { Member } from '../queries/console/projects.ts';
import type { Provider } from '../queries/console/providers.ts';
import type { ImposedPolicy, Organization, SubjectRevocation } from '../queries/console/subjects.ts';

interface Created<Value> {
  readonly before: null;
  readonly after: Value;
}
interface Changed<Value> {
  readonly before: Value;
  readonly after: Value;
}
interface Deleted<Value> {
  readonly before: Value;
  readonly after: null;
}
/** The next revision, after the one that was in force. */
interface Replaced<Value> {
  readonly before: Value | null;
  readonly after: Value;
}

/** What administrators declare, change and delete by id. */
export interface Things {
  readonly provider: Provider;
  readonly model: Model;
  readonly endpoint: Endpoint;
  readonly plan: Plan;
}

type ThingValues = { readonly [Kind in keyof Things as `${Kind}.create`]: Created<Things[Kind]> } & {
  readonly [Kind in keyof Things as `${Kind}.change`]: Changed<Things[Kind]>;
} & { readonly [Kind in keyof Things as `${Kind}.delete`]: Deleted<Things[Kind]> };

/** The values of each act in the administration log, both whole: the log is read without the tables. Never a key. */
interface Values extends ThingValues {
  readonly 'account.create': Created<User & { readonly keys: readonly AccountKey[] }>;
  readonly 'account.change': Changed<LockedUser>;
  readonly 'account.delete': Deleted<LockedUser & { readonly projects: readonly string[] }>;
  readonly 'key.create': Created<AccountKey>;
  readonly 'key.revoke': Changed<AccountKey>;
  readonly 'import.revoke': Changed<{ readonly keysInForce: number }>;
  /** The keys that were revoked, and the new one. */
  readonly 'key.rotate': { readonly before: readonly AccountKey[]; readonly after: AccountKey };
  readonly 'role.grant': Created<RoleAssignment>;
  readonly 'role.revoke': Deleted<RoleAssignment>;
  readonly 'member.add': Created<Member>;
  readonly 'member.remove': Deleted<Member>;
  readonly 'member.enable': Changed<Member>;
  readonly 'member.disable': Changed<Member>;
  readonly 'member.plan': Changed<MemberPlan>;
  readonly 'subject.revoke': Created<SubjectRevocation>;
  readonly 'subject.lift': Changed<SubjectRevocation>;
  readonly 'session.revoke': Created<SessionRevocation>;
  readonly 'organization.create': Created<Pick<Organization, 'id' | 'slug' | 'name'>>;
  readonly 'organization.change': Changed<Pick<Organization, 'id' | 'slug' | 'name'>>;
  readonly 'policy.install': Replaced<PolicyRevision>;
  readonly 'policy.refuse': Created<{ readonly cedar: string; readonly fault: string }>;
  readonly 'organization-policy.install': Replaced<ImposedPolicy>;
  readonly 'organization-policy.refuse': Created<{ readonly document: string; readonly fault: string }>;
  readonly 'budget.alert': Created<Omit<BudgetAlert, 'id' | 'at' | 'subject'>>;
  readonly 'provider.test': Created<
    { readonly id: string } & Partial<Pick<Provider, 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>>
  >;
  readonly 'scim-user.create': Created<ProvisionedUser>;
  readonly 'scim-user.change': Changed<ProvisionedUser>;
  readonly 'scim-user.delete': Deleted<ProvisionedUser>;
  readonly 'signing-key.endorse': Changed<{ readonly component: string; readonly endorsed: boolean }>;
  readonly 'scim-group.create': Created<ProvisionedGroup & { readonly added: readonly string[] }>;
  /** Names of the members that left, and of those that entered. */
  readonly 'scim-group.change': {
    readonly before: ProvisionedGroup & { readonly removed: readonly string[] };
    readonly after: ProvisionedGroup & { readonly added: readonly string[] };
  };
  readonly 'scim-group.delete': Deleted<ProvisionedGroup>;
  readonly 'group-role.create': Created<GroupRole>;
  readonly 'group-role.delete': Deleted<GroupRole>;
  readonly 'log.retention': {
    readonly before: { readonly months: number } | null;
    readonly after: { readonly months: number } | null;
  };
  readonly [ARCHIVE_ACTION]: Created<{
    readonly file: string;
    readonly entries: number;
    readonly sha256: string;
    /** Of the decision log. */
    readonly first?: number;
    readonly last?: number;
    readonly digest?: string;
  }>;
}

/** One change, as the administration log keeps it. `target` is what was changed, for example `provider:<slug>`. */
export type AdministrationChange = {
  [Action in keyof Values]: { readonly action: Action; readonly target: string } & Values[Action];
}[keyof Values];
