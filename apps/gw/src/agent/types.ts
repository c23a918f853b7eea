/**
 * What the parts of the agent know of each other. The core takes everything else (model, tools, permissions, record,
 * organization, clock) through the ports declared here; `compose/` alone knows the adapters.
 */
export * from './types/basics.ts';
export * from './types/models.ts';
export * from './types/organization.ts';
export * from './types/permissions.ts';
export * from './types/session.ts';
export * from './types/tools.ts';
