import type { ChainedEntry, JsonObject, Signer } from '@gateway/ledger';
import type { Random } from '../support/random.ts';
import { type Case, continued, decisions } from './log.ts';

/**
 * Replaces the log from a position on. Each result is consistent in itself: only a checkpoint stored elsewhere reveals it.
 * @param index of the first changed entry
 * @param end sequence of the checkpoint
 */
type Replacement = (log: Case, index: number, end: number, random: Random) => Iterable<ChainedEntry>;

/** After the entry before the position, signed at the end only: the signer chooses where batches end. */
function signedAnew({ entries }: Case, index: number, made: Iterable<JsonObject>, end: number, signer: Signer) {
  return continued(
    entries[index - 1] ?? null,
    made,
    () => signer,
    (sequence) => sequence === end,
  );
}

function* editedFrom(entries: readonly ChainedEntry[], index: number, end: number): Generator<JsonObject> {
  for (let at = index; at < end; at += 1) {
    const { entry } = entries[at] as ChainedEntry;
    yield at === index ? { ...entry, subject: 'somebody else' } : entry;
  }
}

export const AGAINST_CHECKPOINT: Readonly<Record<string, Replacement>> = {
  /** The end of the log is deleted, with its seals. The rest ends with a signature. */
  'a truncated log': () => [],
  /** The log from before the position, which has grown since, but not up to the checkpoint. */
  'a restored backup': (log, index, end, random) =>
    end - index < 2 ? [] : signedAnew(log, index, decisions(index + 1, index + 1, random), index + 1, log.signers[1]),
  /** A restored backup that grew past the checkpoint, rightly signed. */
  'a fork': (log, index, end, random) =>
    signedAnew(log, index, decisions(index + 1, end + 1, random), end + 1, log.signers[1]),
  /** An entry is changed, and all behind it is made again and signed with the service's own key. */
  'a rewritten log, signed with the own key': (log, index, end) =>
    signedAnew(log, index, editedFrom(log.entries, index, end), end, log.signers[1]),
  /** The same with another key, which is registered in the database. */
  'a rewritten log, signed with a registered key': (log, index, end) =>
    signedAnew(log, index, editedFrom(log.entries, index, end), end, log.intruder),
};
