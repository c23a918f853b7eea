import { GENESIS, link, seal } from '../chain.ts';
import type { Signer } from '../note.ts';
import type { ChainedEntry } from '../verify.ts';

/** The log that the tests tamper with. */
export const CHAIN = 'authorization_decisions';

/**
 * The result of one kind of tampering at one position of a log. Entries before `from` are omitted, so that a long log need not be
 * read again for each position.
 * @param from at most `index`
 */
export type Tampering = (
  entries: readonly ChainedEntry[],
  index: number,
  intruder: Signer,
  from?: number,
) => Iterable<ChainedEntry>;

const at = (entries: readonly ChainedEntry[], index: number): ChainedEntry => entries[index] as ChainedEntry;

/** Replaces `count` entries by `replacement`. */
function* replaced(
  entries: readonly ChainedEntry[],
  from: number,
  index: number,
  count: number,
  replacement: readonly ChainedEntry[],
): Generator<ChainedEntry> {
  for (let before = from; before < index; before += 1) yield at(entries, before);
  yield* replacement;
  for (let after = index + count; after < entries.length; after += 1) yield at(entries, after);
}

/** An intruder without the signing key who can write every table: sequences and digests recomputed, seals unchanged. */
function* rechained(
  entries: Iterable<ChainedEntry>,
  original: readonly ChainedEntry[],
  from: number,
): Generator<ChainedEntry> {
  let previous = from === 0 ? GENESIS : at(original, from - 1).digest;
  let sequence = from;
  for (const one of entries) {
    sequence += 1;
    const entry = { ...one.entry, sequence };
    const { digest } = link(previous, entry);
    yield { ...one, sequence: BigInt(sequence), entry, previous, digest };
    previous = digest;
  }
}

function* renumbered(entries: Iterable<ChainedEntry>, from: number): Generator<ChainedEntry> {
  let sequence = BigInt(from);
  for (const one of entries) {
    sequence += 1n;
    yield { ...one, sequence };
  }
}

const edited = (one: ChainedEntry): ChainedEntry => ({
  ...one,
  entry: { ...one.entry, value: [one.entry['value'] ?? null] },
});
const inserted = (one: ChainedEntry): ChainedEntry => ({ ...one, entry: { value: 'new' } });

/** Changes one entry. */
const changing =
  (change: (one: ChainedEntry, intruder: Signer) => ChainedEntry): Tampering =>
  (entries, index, intruder, from = 0) =>
    replaced(entries, from, index, 1, [change(at(entries, index), intruder)]);

/** Changes an entry and the next one; the last one is paired with the previous one. */
const changingPair =
  (change: (one: ChainedEntry, other: ChainedEntry) => readonly ChainedEntry[]): Tampering =>
  (entries, index, _, from = 0) => {
    const first = Math.min(index, entries.length - 2);
    return replaced(entries, Math.min(from, first), first, 2, change(at(entries, first), at(entries, first + 1)));
  };

/** Each kind of tampering that is found without a checkpoint. */
export const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'an edited entry': changing(edited),
  'an edited entry with its digest': changing((one) => {
    const { entry, previous } = edited(one);
    return { ...one, entry, digest: link(previous, entry).digest };
  }),
  'an edited digest': changing((one) => ({ ...one, digest: '07'.repeat(32) })),
  'an edited link': changing((one) => ({ ...one, previous: '07'.repeat(32) })),
  'a field added': changing((one) => ({ ...one, entry: { ...one.entry, extra: null } })),
  'a deleted entry': (entries, index, _, from = 0) => replaced(entries, from, index, 1, []),
  'an inserted entry': (entries, index, _, from = 0) =>
    replaced(entries, from, index, 0, [inserted(at(entries, index))]),
  'a replayed entry': (entries, index, _, from = 0) => replaced(entries, from, index, 0, [at(entries, index)]),
  'a replayed entry, numbered again': (entries, index, _, from = 0) =>
    renumbered(replaced(entries, from, index, 0, [at(entries, index)]), from),
  'two entries in the other order': changingPair((one, other) => [other, one]),
  'two entries that changed numbers': changingPair((one, other) => [
    { ...other, sequence: one.sequence },
    { ...one, sequence: other.sequence },
  ]),
  'an edited entry and the chain made again': (entries, index, _, from = 0) =>
    rechained(replaced(entries, from, index, 1, [edited(at(entries, index))]), entries, from),
  'a deleted entry and the chain made again': (entries, index, _, from = 0) =>
    rechained(replaced(entries, from, index, 1, []), entries, from),
  'an inserted entry and the chain made again': (entries, index, _, from = 0) =>
    rechained(replaced(entries, from, index, 0, [inserted(at(entries, index))]), entries, from),
  'another key’s seal': changing((one, intruder) => ({ ...one, seal: seal(intruder, { chain: CHAIN, ...one }) })),
  'another key’s seal under the known name': (entries, index, intruder, from = 0) => {
    const one = at(entries, index);
    const keyId = at(entries, entries.length - 1).seal?.keyId ?? '';
    return replaced(entries, from, index, 1, [
      { ...one, seal: { ...seal(intruder, { chain: CHAIN, ...one }), keyId } },
    ]);
  },
};
