/** What the console's database role may run, in both profiles. */

export { type AccountKey, listAccountKeys, lockAccountKey } from './account-keys.ts';
export * from './administration-actions.ts';
export * from './agent-acts.ts';
export * from './agent-commands.ts';
export * from './agent-sessions.ts';
export * from './caller-facts.ts';
export * from './consumption.ts';
export * from './decisions.ts';
export * from './detections.ts';
export * from './endpoints.ts';
export * from './engine-results.ts';
export { type GroupRole, type ListedGroupRole, listGroupRoles, readGrantingGroup } from './group-roles.ts';
export * from './key-variables.ts';
export { readLookalikes } from './lookalikes.ts';
export * from './models.ts';
export * from './organizations.ts';
export * from './overview.ts';
export type { InstantKey, Page, Rows, Sorted, SortedRow, SortType } from './pages.ts';
export * from './policies.ts';
export * from './policy-attempts.ts';
export * from './policy-context.ts';
export * from './projects.ts';
export * from './provider-tests.ts';
export * from './providers.ts';
export {
  countProvisionedGroups,
  type GroupMember,
  listGroupMembers,
  listProvisionedGroups,
  lockProvisionedGroup,
  type ProvisionedGroup,
  type ProvisionedGroupLookup,
} from './provisioned-groups.ts';
export * from './provisioned-users.ts';
export * from './role-assignments.ts';
export * from './sessions.ts';
export * from './subject-revocations.ts';
export * from './subjects.ts';
export * from './unavailability.ts';
export * from './usage-sums.ts';
export { keepVerification } from './verifications.ts';
export * from './violations.ts';
export * from './waiting.ts';
