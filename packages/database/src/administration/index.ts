/** What the owner of the database may run: the statements behind the operator's commands. */

export type { Act } from '../audit-log/act.ts';
export { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
export * from './accounts.ts';
export * from './archives/index.ts';
export * from './organization-policies.ts';
export * from './organizations.ts';
export * from './policies.ts';
export * from './project-members.ts';
export * from './revocations.ts';
export * from './roles.ts';
export * from './signing-keys.ts';
