import type * as Https from 'node:https';

/**
 * `node:http` without an import: an import reads every export, and one of them (WebSocket) loads undici. Each start of a
 * session would pay for it.
 */
export const http = process.getBuiltinModule('node:http');

/** `node:https`, which loads TLS, on first use. */
export function loadHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}
