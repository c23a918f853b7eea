import { expect, it } from 'vitest';
import { decisionLine } from './ready.ts';

const ENTRY = {
  sequence: '7',
  at: new Date('2026-01-31T10:00:00.000Z'),
  subject: 'demo',
  permission: 'inference:appeler',
  resource: 'endpoint:demo',
  outcome: 'granted',
  reason: 'role-grants',
  roles: ['utilisateur-standard'],
  digest: '5aab8c0e1f2d3c4b5a',
};

it('contains subject, permission and time of a grant, and where to find it', () => {
  expect(decisionLine(ENTRY)).toBe(
    '#7 granted to demo, User: “Call endpoints” on endpoint:demo, at 2026-01-31T10:00:00.000Z, digest 5aab8c0e1f2d…',
  );
});
it('contains the reason of a refusal, also for a caller without proof', () => {
  const refused = { ...ENTRY, outcome: 'refused', reason: 'key-unknown', subject: null, roles: [] };
  expect(decisionLine(refused)).toBe(
    '#7 refused to nobody known: “Call endpoints” on endpoint:demo, because key-unknown, at 2026-01-31T10:00:00.000Z, digest 5aab8c0e1f2d…',
  );
});
