import type { AccountKey } from '../api/objects.ts';

/** A key of an account, in force. */
export const keyOf = (label: string, but: Partial<AccountKey> = {}) => ({
  id: `01a21d70-6cdb-7462-b456-${label.padEnd(12, '0').slice(0, 12)}`,
  label,
  lastFour: 'c0de',
  createdAt: '2026-01-31T08:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...but,
});
