import { EMPTY_ROOT, HASH_BYTES, isConsistent, isSameHash } from './merkle-tree.ts';
import { exactBase64, NoteFault, type NoteKey, verifyNote } from './note.ts';
import { readTreeCheckpoint, readTreeSize, type TreeCheckpoint, type TreeHead } from './tree-checkpoint.ts';

/*
 * The request of a witness (C2SP tlog-witness), `add-checkpoint`: the size that the witness knows, a proof that the checkpoint
 * continues it, and the checkpoint.
 */

export interface AddCheckpoint {
  readonly oldSize: number;
  readonly path: readonly Uint8Array[];
  readonly checkpoint: TreeCheckpoint;
}

/** As many as a proof may have. */
const MAX_STEPS = 63;

export function writeAddCheckpoint(oldSize: number, path: readonly Uint8Array[], note: string): string {
  const steps = path.map((step) => `${Buffer.from(step).toString('base64')}\n`);
  return `old ${oldSize}\n${steps.join('')}\n${note}`;
}

/** Null for a body that is no such request. */
export function readAddCheckpoint(body: string): AddCheckpoint | null {
  const end = body.indexOf('\n\n');
  const [first = '', ...steps] = body.slice(0, Math.max(0, end)).split('\n');
  const oldSize = first.startsWith('old ') ? readTreeSize(first.slice(4)) : null;
  const path = steps.map(exactBase64);
  if (oldSize === null || path.length > MAX_STEPS || path.some((step) => step?.length !== HASH_BYTES)) return null;
  try {
    return { oldSize, path: path as Buffer[], checkpoint: readTreeCheckpoint(body.slice(end + 2)) };
  } catch (error) {
    if (error instanceof NoteFault) return null;
    throw error;
  }
}

/** Why a witness does not cosign. `conflict` tells the size that it knows. */
export type WitnessRefusal = 'unknown-origin' | 'bad-signature' | 'smaller' | 'conflict' | 'bad-proof';

/**
 * Whether a witness may cosign.
 * @param keys of the logs that it watches. @param known the last checkpoint of this origin that it cosigned.
 */
export function judgeCheckpoint(
  { oldSize, path, checkpoint }: AddCheckpoint,
  keys: readonly NoteKey[],
  known: Pick<TreeHead, 'size' | 'root'> | null,
): WitnessRefusal | null {
  if (keys.length === 0) return 'unknown-origin';
  if (!isSigned(checkpoint, keys)) return 'bad-signature';
  const { size, root } = checkpoint;
  if (oldSize > size) return 'smaller';
  const old = known ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== old.size) return 'conflict';
  if (size === old.size && !isSameHash(root, old.root)) return 'conflict';
  return isConsistent({ old, size, root, path }) ? null : 'bad-proof';
}

function isSigned(checkpoint: TreeCheckpoint, keys: readonly NoteKey[]): boolean {
  try {
    return verifyNote(checkpoint, keys).length > 0;
  } catch (error) {
    if (error instanceof NoteFault) return false;
    throw error;
  }
}
