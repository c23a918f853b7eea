import type { RelayFacts } from '@gateway/domain/call/facts';
import { expect, it } from 'vitest';
import { plan } from './plan.ts';
import type { Authorized } from './types.ts';

it.each<[RelayFacts['billing'], string | null]>([
  [{ plan: true, capReached: false }, null],
  [{ plan: true, capReached: true }, 'cap-reached'],
  [{ plan: false, capReached: false }, 'plan-missing'],
  [{ plan: false, capReached: true }, 'plan-missing'],
  ['unavailable', 'metering-unavailable'],
  [null, 'metering-unavailable'],
])('with a billing of %j a call is refused as %j (refusals-12)', (billing, code) => {
  expect(plan({ resolved: { facts: { billing } } } as Authorized)?.code ?? null).toBe(code);
});
