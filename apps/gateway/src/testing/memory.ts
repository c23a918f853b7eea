import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of reachable objects, without buffers, which are released later. */
export function heldObjects(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes of reachable buffers. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
