import { describe, expect, it } from 'vitest';
import { createInspectors } from './inspectors.ts';

const KEY = Buffer.from('a key');
const FIRST = { number: 1, installedAt: '0.000001' };
const AT = (text: string): Date => new Date(text);

/** Inspectors for one revision, and the number of reads. */
function over(validFrom: Date | null, validUntil: Date | null) {
  const state = { now: Date.parse('2026-06-01T00:00:00Z'), reads: 0, down: false };
  const inspectors = createInspectors(
    async () => {
      state.reads += 1;
      if (state.down) throw new Error('down');
      return { policy: { secrets: { response: 'alert' } }, validFrom, validUntil };
    },
    KEY,
    () => state.now,
  );
  return { state, inspectors };
}

describe('the inspector of a policy', () => {
  it('is created once for any number of concurrent calls', async () => {
    const { state, inspectors } = over(null, null);
    const found = await Promise.all([inspectors(FIRST, 0), inspectors(FIRST, 0), inspectors(FIRST, 0)]);
    expect(new Set(found).size).toBe(1);
    expect([(await inspectors(FIRST, 0)).responsePolicy.high, state.reads]).toEqual(['alert', 1]);
  });
  // relay-33
  it('blocks without a policy, and outside a policy’s validity', async () => {
    const { state, inspectors } = over(AT('2026-07-01T00:00:00Z'), AT('2026-08-01T00:00:00Z'));
    expect((await inspectors(null, 0)).responsePolicy.high).toBe('block');
    expect(state.reads).toBe(0);
    const seen: string[] = [];
    for (const day of [
      '2026-06-30T23:59:59.999Z',
      '2026-07-01T00:00:00Z',
      '2026-07-31T23:59:59.999Z',
      '2026-08-01T00:00:00Z',
    ]) {
      state.now = Date.parse(day);
      seen.push((await inspectors(FIRST, 0)).responsePolicy.high);
    }
    expect(seen).toEqual(['block', 'alert', 'alert', 'block']);
    expect(state.reads).toBe(1);
  });
  it('is not guessed where its policy cannot be read, and is read again', async () => {
    const { state, inspectors } = over(null, null);
    state.down = true;
    await expect(Promise.all([inspectors(FIRST, 0), inspectors(FIRST, 0)])).rejects.toThrow('down');
    state.down = false;
    expect((await inspectors(FIRST, 0)).responsePolicy.high).toBe('alert');
  });
});
