import { expect, it } from 'vitest';
import { expiryAfter, NEVER, stateOfKey } from './time.tsx';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

it('a lifetime ends a number of days from now, or never', () => {
  expect(expiryAfter('30', NOW)).toBe('2026-03-31T12:00:00.000Z');
  expect([expiryAfter(NEVER, NOW), expiryAfter(null, NOW)]).toEqual([null, null]);
});

it.each([
  ['in force', null, null],
  ['in force', null, '2026-03-01T12:00:00.001Z'],
  ['expired', null, '2026-03-01T12:00:00.000Z'],
  ['revoked', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'],
])('a key is %s: revoked %s, expires %s', (state, revokedAt, expiresAt) => {
  expect(stateOfKey({ revokedAt, expiresAt }, NOW)).toBe(state);
});
