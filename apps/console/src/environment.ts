import type { Environment } from '@gateway/configuration';

/** The only reader of `process.env`: a copy, so that nothing read later can differ from what was checked at start. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}
