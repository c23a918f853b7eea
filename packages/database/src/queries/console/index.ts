/** What the console's database role may run, in both profiles. */

export * from '../../audit-log/lists.ts';
export { keepVerification } from '../../audit-log/lists.ts';
export * from '../../client/conditions.ts';
export type { InstantKey, Page, Rows, Sorted, SortedRow, SortType } from '../../client/pages.ts';
export { type AccountKey, listAccountKeys, lockAccountKey } from './account-keys.ts';
export * from './agent-sessions.ts';
export * from './endpoints.ts';
export * from './groups.ts';
export {
  countProvisionedGroups,
  type GroupMember,
  type GroupRole,
  type ListedGroupRole,
  listGroupMembers,
  listGroupRoles,
  listProvisionedGroups,
  lockProvisionedGroup,
  type ProvisionedGroup,
  type ProvisionedGroupLookup,
  readGrantingGroup,
} from './groups.ts';
export * from './models.ts';
export * from './overview.ts';
export * from './policies.ts';
export * from './projects.ts';
export * from './providers.ts';
export * from './subjects.ts';
export { readLookalikes } from './subjects.ts';
