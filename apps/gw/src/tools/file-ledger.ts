import type { FileLedger } from '../agent/types.ts';
import { digestOf } from './files/text-file.ts';

/** What the model knows of files, for the time of a session. */
export function createFileLedger(): FileLedger {
  const digests = new Map<string, string>();
  return {
    note(path, content) {
      digests.set(path, digestOf(content));
    },
    digestOf: (path) => digests.get(path) ?? null,
  };
}
