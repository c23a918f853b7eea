import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of everything JavaScript holds, buffers included. */
export function heldMemory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes of buffers that are still held by something. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
