import { vi } from 'vitest';

/** Waits for what happens after an answer, on a loaded machine too. */
export function eventually<Value>(probe: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(probe, { timeout: 60_000, interval: 20 });
}
