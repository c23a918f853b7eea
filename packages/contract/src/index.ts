export * from './account-key.ts';
export * from './brand.ts';
export * from './decision.ts';
export * from './organization-policy.ts';
export * from './refusals.ts';
export * from './roles.ts';
