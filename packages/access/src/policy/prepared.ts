import type { CompiledPolicy } from './compiled.ts';
import type { Cedar } from './engine.ts';

/** Number of policy selections the engine caches. It can replace one, but never frees one. */
const SLOTS = 64;

const held = new WeakMap<object, Map<string, string>>();
const serials = new WeakMap<CompiledPolicy, number>();
let lastSerial = 0;

/** The engine denies where nothing permits, so a set of forbids needs one permit as its base: the matrix has granted already. */
const BASELINE = { baseline: 'permit(principal, action, resource);' };

/** Passes a selection of policies to the engine once, and returns its name there. Policies are named by their index. */
export function preparePolicies(cedar: typeof Cedar, policies: readonly CompiledPolicy[]): string {
  const slots = slotsOf(cedar);
  const key = policies.map(serialOf).join(' ');
  const known = slots.get(key);
  const slot = known ?? (slots.size < SLOTS ? `selection ${slots.size}` : takeOldest(slots));
  slots.delete(key);
  if (known === undefined) {
    const texts = Object.fromEntries(policies.map(({ text }, index) => [String(index), text]));
    const answer = cedar.preparsePolicySet(slot, { staticPolicies: { ...texts, ...BASELINE } });
    if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  }
  slots.set(key, slot); // last in the map: used most recently
  return slot;
}

function slotsOf(cedar: typeof Cedar): Map<string, string> {
  const slots = held.get(cedar) ?? new Map<string, string>();
  held.set(cedar, slots);
  return slots;
}

function takeOldest(slots: Map<string, string>): string {
  const [oldest] = slots;
  if (!oldest) throw new Error('no selection is cached');
  slots.delete(oldest[0]);
  return oldest[1];
}

function serialOf(policy: CompiledPolicy): number {
  const serial = serials.get(policy) ?? (lastSerial += 1);
  serials.set(policy, serial);
  return serial;
}
