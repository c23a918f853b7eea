export { freePort, isTaken, onFreePort } from './service-user.ts';
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
