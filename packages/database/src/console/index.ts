/** What the console's database role may run, in both profiles. */
export * from './caller-facts.ts';
export * from './endpoints.ts';
export * from './models.ts';
export * from './providers.ts';
export * from './violations.ts';
