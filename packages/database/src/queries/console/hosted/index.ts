/** What the console's database role may run in the hosted profile alone: accounts with their keys, plans, usage. */
export * from './plans.ts';
export { type OwnPlan, readOwnPlan } from './plans.ts';
export * from './spending-caps.ts';
export * from './usage.ts';
export {
  listUsage,
  type ModelName,
  readUsageNames,
  type UsageFilter,
  type UsageNames,
  type UsageRecord,
} from './usage.ts';
