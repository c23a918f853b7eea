import { vi } from 'vitest';

/** Waits for what happens after an answer, on a loaded machine too; it is looked for every `interval` milliseconds. */
export function eventually<Value>(probe: () => Value | Promise<Value>, interval = 20): Promise<Value> {
  return vi.waitFor(probe, { timeout: 300_000, interval });
}
