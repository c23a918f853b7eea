import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './canonical.ts';
import { GENESIS, link, seal } from './chain.ts';
import { createSigner, generateSigningKey, readVerificationKey, type Signer } from './note.ts';
import { CHAIN, TAMPERINGS } from './testing/tamperings.ts';
import { type ChainedEntry, UNTRUSTED, type VerifyOptions, verifyChain } from './verify.ts';

const signer = createSigner(generateSigningKey());
const intruder = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);
const keys = new Map([[key.id, key]]);

/** A chain whose batches end after the entries numbered in `ends` (and after the last). */
function chainOf(values: readonly string[], ends: ReadonlySet<number>, by: Signer = signer): ChainedEntry[] {
  let previous = GENESIS;
  return values.map((value, index) => {
    const sequence = BigInt(index + 1);
    const entry: JsonObject = { sequence: index + 1, id: `id-${index}`, value };
    const { digest } = link(previous, entry);
    const sealed = ends.has(index + 1) || index === values.length - 1;
    const made = {
      sequence,
      entry,
      previous,
      digest,
      seal: sealed ? seal(by, { chain: CHAIN, sequence, digest }) : null,
    };
    previous = digest;
    return made;
  });
}

async function* rows(entries: Iterable<ChainedEntry>): AsyncGenerator<ChainedEntry> {
  yield* entries;
}
const verify = (entries: Iterable<ChainedEntry>, more: Partial<VerifyOptions> = {}) =>
  verifyChain(rows(entries), { chain: CHAIN, keys, ...more });
const at = (entries: readonly ChainedEntry[], index: number): ChainedEntry => entries[index] as ChainedEntry;
const chains = fc
  .record({
    values: fc.array(fc.string(), { minLength: 2, maxLength: 12 }),
    ends: fc.uniqueArray(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ values, ends }) => ({ entries: chainOf(values, new Set(ends)), values, ends: new Set(ends) }));
const positions = (entries: readonly unknown[]) => entries.map((_, index) => index);

describe('an untouched chain', () => {
  it('reports no fault, with and without a checkpoint at any position', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async ({ entries }) => {
        const count = BigInt(entries.length);
        expect(await verify(entries, { lastSeal: count })).toEqual({ ok: true, entries: count, lastSequence: count });
        for (const checkpoint of entries) expect(await verify(entries, { checkpoint })).toMatchObject({ ok: true });
      }),
      { numRuns: 25 },
    );
  });

  it('may be empty', async () => {
    expect(await verify([])).toEqual({ ok: true, entries: 0n, lastSequence: 0n });
    expect(await verify([], { checkpoint: { sequence: 0n, digest: GENESIS } })).toMatchObject({ ok: true });
  });

  it('may be long, and reports its progress', async () => {
    const entries = chainOf(Array.from({ length: 3000 }, String), new Set([1, 2, 700, 1400, 2100]));
    const seen: bigint[] = [];
    expect(await verify(entries, { onProgress: (count) => seen.push(count) })).toMatchObject({ ok: true });
    expect(seen).toEqual([1024n, 2048n]);
    expect(await verify(entries)).toMatchObject({ ok: true });
  });

  it('may be sealed entry by entry, beyond one verification batch', async () => {
    const every = Array.from({ length: 600 }, (_, index) => index + 1);
    const entries = chainOf(every.map(String), new Set(every));
    expect(await verify(entries)).toMatchObject({ ok: true });
    const broken = entries.with(300, { ...at(entries, 300), seal: at(entries, 299).seal });
    expect(await verify(broken)).toMatchObject({ ok: false, fault: 'seal', sequence: 301n });
  });
});

describe('tampering', () => {
  // log-7
  it.each(Object.entries(TAMPERINGS))('%s is found at every position', async (_, tamper) => {
    await fc.assert(
      fc.asyncProperty(chains, async ({ entries }) => {
        for (const index of positions(entries)) {
          // Only a checkpoint protects the last entry's end, with the seal that was stored with it.
          const changed = tamper(entries, index, intruder);
          const verdict = await verify(changed, { lastSeal: BigInt(entries.length) });
          expect(verdict.ok, `position ${index} of ${entries.length}`).toBe(false);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('an unsealed entry at the end is found', async () => {
    const entries = chainOf(['a', 'b', 'c'], new Set([2]));
    expect(await verify(entries.with(2, { ...at(entries, 2), seal: null }))).toMatchObject({ fault: 'unsealed' });
  });

  it('is reported with the first faulty entry and a sentence', async () => {
    const entries = chainOf(['a', 'b', 'c', 'd'], new Set([1, 2, 3]));
    const deleted = await verify(entries.toSpliced(1, 1));
    expect(deleted).toEqual({
      ok: false,
      fault: 'sequence',
      sequence: 2n,
      sentence: 'Entry 2 is missing: entry 3 is in its place.',
    });
    const sealsAndEntry = entries
      .with(1, { ...at(entries, 1), seal: at(entries, 0).seal })
      .with(3, { ...at(entries, 3), digest: GENESIS });
    expect(await verify(sealsAndEntry)).toMatchObject({ fault: 'seal', sequence: 2n });
  });

  it('is named by its kind, its entry and what is wrong there', async () => {
    const entries = chainOf(['a', 'b', 'c'], new Set([2]));
    const change = (index: number, more: Partial<ChainedEntry>) =>
      entries.with(index, { ...at(entries, index), ...more });
    const foreign = chainOf(['a', 'b', 'c'], new Set([2]), intruder);
    const cases: readonly [readonly ChainedEntry[], Partial<VerifyOptions>, string, bigint, string][] = [
      [change(1, { previous: GENESIS }), {}, 'link', 2n, 'does not contain the digest of the entry before it.'],
      [change(1, { entry: {} }), {}, 'digest', 2n, 'was changed: its content does not match its digest.'],
      [change(1, { seal: at(foreign, 1).seal }), {}, 'key', 2n, `${intruder.keyId}, which ${UNTRUSTED}.`],
      [change(1, { seal: at(entries, 2).seal }), {}, 'seal', 2n, 'The signature over entry 2 is not valid.'],
      [change(2, { seal: null }), {}, 'unsealed', 3n, 'entry 3, which no signature covers.'],
      [entries, { lastSeal: 4n }, 'truncated', 3n, 'ends at entry 3, but entry 4 was signed.'],
      [entries, { checkpoint: { sequence: 5n, digest: GENESIS } }, 'truncated', 3n, 'the checkpoint knows entry 5.'],
      [entries, { checkpoint: { sequence: 2n, digest: GENESIS } }, 'forked', 2n, 'this is another log.'],
      // Of a broken entry, the seal is not looked at: it was made for another one.
      [change(1, { previous: GENESIS, seal: at(foreign, 1).seal }), {}, 'link', 2n, 'Entry 2 '],
    ];
    for (const [log, options, fault, sequence, words] of cases) {
      const sentence = expect.stringContaining(words) as string;
      expect(await verify(log, options)).toEqual({ ok: false, fault, sequence, sentence });
    }
    expect(UNTRUSTED).toBe('is not trusted: it is not endorsed, or not among the given keys');
  });

  it('of content that cannot even be hashed is found', async () => {
    const entries = chainOf(['a', 'b'], new Set());
    const broken = entries.with(0, { ...at(entries, 0), entry: { value: '\ud800' } });
    expect(await verify(broken)).toMatchObject({ fault: 'digest', sequence: 1n });
  });
});

describe('with a checkpoint stored elsewhere', () => {
  // log-8
  it('a truncated log and a restored backup are found, at any end', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async ({ entries, values, ends }) => {
        const checkpoint = at(entries, entries.length - 1);
        for (const index of positions(entries)) {
          const restored = chainOf(values.slice(0, index), ends); // whole in itself, its end sealed
          expect(await verify(restored)).toMatchObject({ ok: true });
          expect(await verify(restored, { checkpoint })).toMatchObject({ ok: false, fault: 'truncated' });
        }
      }),
      { numRuns: 25 },
    );
  });

  it('a fork is found, at every position, also when the fork is longer and rightly signed', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async ({ entries, values, ends }) => {
        const checkpoint = at(entries, entries.length - 1);
        for (const index of positions(entries)) {
          const forked = chainOf([...values.with(index, `${values[index]}!`), 'more', 'and more'], ends);
          expect(await verify(forked)).toMatchObject({ ok: true });
          expect(await verify(forked, { checkpoint })).toMatchObject({ ok: false, fault: 'forked' });
        }
      }),
      { numRuns: 25 },
    );
  });

  it('a log made again and signed with another key is found, also where that key was registered', async () => {
    const entries = chainOf(['a', 'b', 'c'], new Set([1]));
    const own = readVerificationKey(intruder.publicKey);
    const resigned = chainOf(['a', 'x', 'c'], new Set([1]), intruder);
    expect(await verify(resigned)).toMatchObject({ fault: 'key' });
    const registered = new Map([...keys, [own.id, own] as const]);
    expect(await verify(resigned, { keys: registered, checkpoint: at(entries, 2) })).toMatchObject({ fault: 'forked' });
  });
});

describe('a part of a chain', () => {
  it('reports no fault from any first entry, with and without a checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async ({ entries }) => {
        for (const index of positions(entries)) {
          const part = entries.slice(index + 1);
          const behind = at(entries, index);
          const whole = { ok: true, entries: BigInt(part.length), lastSequence: BigInt(entries.length) };
          expect(await verify(part, { behind })).toEqual(whole);
          for (const checkpoint of [behind, ...part]) expect(await verify(part, { behind, checkpoint })).toEqual(whole);
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each(Object.entries(TAMPERINGS))('%s is found at every position of it', async (_, tamper) => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), async ({ entries }, some) => {
        const index = some % (entries.length - 1);
        const part = entries.slice(index + 1);
        if (part.length < 2) return; // nothing to exchange, and what is deleted leaves nothing
        for (const place of positions(part)) {
          const verdict = await verify(tamper(entries, index + 1 + place, intruder, index + 1), {
            behind: at(entries, index),
            lastSeal: BigInt(entries.length),
          });
          expect(verdict.ok, `position ${place} of ${part.length}`).toBe(false);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('belongs to another log where a checkpoint has another entry before it, or a later one', async () => {
    const entries = chainOf(['a', 'b', 'c', 'd'], new Set([2]));
    const behind = at(entries, 1);
    const part = entries.slice(2);
    expect(await verify(part, { behind, checkpoint: { sequence: 2n, digest: GENESIS } })).toMatchObject({
      fault: 'forked',
      sequence: 2n,
    });
    expect(await verify(part, { behind, checkpoint: { sequence: 5n, digest: GENESIS } })).toMatchObject({
      fault: 'truncated',
      sequence: 4n,
    });
    expect(await verify(part, { behind: { ...behind, digest: GENESIS } })).toMatchObject({
      fault: 'link',
      sequence: 3n,
    });
    expect(await verify(part.slice(1), { behind })).toMatchObject({ fault: 'sequence', sequence: 3n });
  });
});
