/** The process environment as the configuration reads it. Names a provider's key variable may not reach are filtered elsewhere. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads `process.env`: a copy, so that nothing read later can differ from what was checked at start. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}
