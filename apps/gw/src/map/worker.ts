import { parentPort, workerData } from 'node:worker_threads';
import { readEach } from './extract.ts';

const { root, paths, withUses } = workerData as {
  readonly root: string;
  readonly paths: readonly string[];
  readonly withUses: boolean;
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(await readEach(root, paths, withUses));
