import { setFlagsFromString } from 'node:v8';

/**
 * V8 compiles a function for speed after so many calls of it. Its own numbers suit a page of a browser; a gateway runs the
 * same few thousand functions for weeks, and the sooner they are compiled, the sooner a restarted one serves at its full
 * rate. About half of V8's numbers: a third less processor time a call in the first ten seconds, the same afterwards, and some
 * 5 MB more memory.
 */
export const COMPILATION: readonly string[] = [
  '--invocation-count-for-maglev=200',
  '--invocation-count-for-turbofan=1500',
  '--minimum-invocations-after-ic-update=200',
];

/** Takes effect for whatever is not compiled yet, so it is called before the gateway starts. */
export function compileSooner(): void {
  for (const flag of COMPILATION) setFlagsFromString(flag);
}
