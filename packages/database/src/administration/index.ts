/** Every act of administration, for the console, SCIM and `gatewayctl`; and what `gatewayctl` reads as the owner of the database. */

export { type LockedUser, lockUser } from '../queries/console/hosted/accounts.ts';
export * from './accounts.ts';
export * from './act.ts';
export * from './archives.ts';
export {
  type DecisionSpan,
  oldestMonth,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  type TableLog,
} from './archives.ts';
export type { Things } from './changes.ts';
export * from './declarations.ts';
export * from './organizations.ts';
export * from './provisioned-groups.ts';
export * from './roles.ts';
