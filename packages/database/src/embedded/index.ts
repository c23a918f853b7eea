export { freePort, isTaken, onFreePort } from './free-port.ts';
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
