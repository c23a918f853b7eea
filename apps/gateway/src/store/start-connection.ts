/** A start that waits for a lock, or for a frozen database, ends and reports it: the operator sees nothing else. */
export const START_CONNECTION = {
  max: 1,
  applicationName: 'gateway start',
  connectSeconds: 10,
  settings: { lock_timeout: 10_000, statement_timeout: 30_000 },
} as const;
