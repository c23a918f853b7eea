/** Every act of administration, for the console, SCIM and `gatewayctl`; and what `gatewayctl` reads as the owner of the database. */

export { type LockedUser, lockUser } from '../queries/console/hosted/accounts.ts';
export * from './accounts.ts';
export * from './act.ts';
export * from './archives.ts';
export * from './budget-alerts.ts';
export type { Things } from './changes.ts';
export * from './declarations.ts';
export {
  type DecisionSpan,
  oldestMonth,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  type TableLog,
} from './expired.ts';
export * from './group-roles.ts';
export * from './import.ts';
export * from './lists.ts';
export * from './organizations.ts';
export * from './policies.ts';
export * from './policy-facts.ts';
export * from './project-members.ts';
export * from './provider-tests.ts';
export * from './provisioned-groups.ts';
export * from './provisioned-users.ts';
export * from './retention.ts';
export * from './revocations.ts';
export * from './revoked-imports.ts';
export * from './roles.ts';
export * from './signing-keys.ts';
export * from './standing.ts';
