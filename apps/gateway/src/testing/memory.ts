import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of objects that are still held by something; buffers, which are given back later, are not among them. */
export function heldObjects(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes of buffers that are still held by something. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
