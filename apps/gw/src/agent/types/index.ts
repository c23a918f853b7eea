/**
 * What the parts of the agent know of each other. The core takes everything else (model, tools, permissions, record,
 * organization, clock) through the ports declared here; `compose/` alone knows the adapters.
 */
export * from './models.ts';
export * from './session.ts';
export * from './tools.ts';
