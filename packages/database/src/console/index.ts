/** What the console's database role may run, in both profiles. */
export * from './administration-actions.ts';
export * from './agent-acts.ts';
export * from './agent-sessions.ts';
export * from './caller-facts.ts';
export * from './decisions.ts';
export * from './endpoints.ts';
export * from './models.ts';
export * from './organizations.ts';
export type { InstantKey, Page, Rows } from './pages.ts';
export * from './policies.ts';
export * from './policy-attempts.ts';
export * from './providers.ts';
export * from './role-assignments.ts';
export * from './subject-revocations.ts';
export * from './unavailability.ts';
export * from './violations.ts';
