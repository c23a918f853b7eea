/** Every act of administration, for the console, SCIM and `gatewayctl`; and what `gatewayctl` reads as the owner of the database. */

export * from '../audit-log/owner.ts';
export {
  type DecisionSpan,
  oldestMonth,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  type TableLog,
} from '../audit-log/owner.ts';
