import type { Revision } from '@gateway/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepRevisions } from './revisions.ts';

let made: number[];
let failing: Error | null;
let hold: Promise<void> | null;
beforeEach(() => {
  [made, failing, hold] = [[], null, null];
});

const kept = () =>
  keepRevisions(async ({ number }: Revision) => {
    made.push(number);
    await hold;
    if (failing !== null) throw failing;
    return { number };
  });
const revision = (number: number, installedAt = '2026-01-01'): Revision => ({ number, installedAt });
const LATER = Number.POSITIVE_INFINITY;

describe('what is made of a revision', () => {
  it('is made once, and is there without waiting from then on', async () => {
    const of = kept();
    const first = await of(revision(1), LATER);
    expect(of(revision(1), LATER)).toBe(first);
    expect(made).toEqual([1]);
  });

  it('is shared by all calls that wait for it', async () => {
    const of = kept();
    const gate = Promise.withResolvers<void>();
    hold = gate.promise;
    const waiting = Array.from({ length: 100 }, async () => of(revision(1), LATER));
    gate.resolve();
    const all = await Promise.all(waiting);
    expect(new Set(all).size).toBe(1);
    expect(made).toEqual([1]);
  });

  it('is made again where it failed, and every waiting call learns of the failure', async () => {
    const of = kept();
    failing = new Error('the database is silent');
    const waiting = await Promise.allSettled([of(revision(1), LATER), of(revision(1), LATER)]);
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = null;
    expect(await of(revision(1), LATER)).toEqual({ number: 1 });
    expect(made).toEqual([1, 1]);
  });

  it('is another one after the policy was installed again under the same number, as in a restored database', async () => {
    const of = kept();
    const before = await of(revision(1, '2026-01-01'), LATER);
    expect(await of(revision(1, '2026-02-02'), LATER)).not.toBe(before);
    expect(made).toEqual([1, 1]);
  });

  it('is kept for the last few revisions alone, however many are installed', async () => {
    const of = kept();
    for (let number = 1; number <= 100; number += 1) await of(revision(number), LATER);
    made = [];
    for (const number of [97, 98, 99, 100]) expect(of(revision(number), LATER)).toEqual({ number });
    expect(made).toEqual([]);
    await of(revision(1), LATER);
    expect(made).toEqual([1]);
  });

  it('of a revision that fails costs the others nothing', async () => {
    const of = kept();
    await of(revision(1), LATER);
    failing = new Error('unreadable');
    await expect(of(revision(2), LATER)).rejects.toThrow('unreadable');
    expect(of(revision(1), LATER)).toEqual({ number: 1 });
  });
});
