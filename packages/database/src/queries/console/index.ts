/** What the console's database role may run, in both profiles. */

export * from '../../audit-log/lists.ts';
export { keepVerification } from '../../audit-log/lists.ts';
export * from '../../client/conditions.ts';
export type { InstantKey, Page, Rows, Sorted, SortedRow, SortType } from '../../client/pages.ts';
export * from './agent-sessions.ts';
