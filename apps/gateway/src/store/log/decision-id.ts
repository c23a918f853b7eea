import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Bytes of one identifier, and the number drawn in one call: requesting random bytes costs far more than using them. */
const SIZE = 16;
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SIZE;
  return pool.subarray(used - SIZE, used);
}

/** A new decision's identifier: a UUID of version 7, of this instant. */
export function newDecisionId(): string {
  return v7({ random: random() });
}
