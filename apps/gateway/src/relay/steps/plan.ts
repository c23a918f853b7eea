import { type Refusal, refusal } from '@gateway/contract';
import type { Authorized } from './types.ts';

/** Plan and monthly cap (refusals-12): hosted profile only. */
export function plan({ resolved }: Authorized): Refusal | null {
  const { billing } = resolved.facts;
  if (billing === null || billing === 'unavailable') return refusal('metering-unavailable');
  if (!billing.plan) return refusal('plan-missing');
  return billing.capReached ? refusal('cap-reached') : null;
}
