import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * What an operator is told where nobody collects processes whose parent ended. A sandbox leaves one behind with each command, and
 * the kernel hands it to process 1. In a container that may be the gateway itself, or npm: Node collects only what it started.
 * @param first program of process 1, as a link
 */
export function orphanAnnouncements(first = '/proc/1/exe'): readonly string[] {
  return isNode(first)
    ? [
        'Process 1 is Node, which does not collect what agent commands leave behind: the table of processes fills up, one entry a command. Start the container with an init (docker run --init).',
      ]
    : [];
}

/** What may not be looked at is another user's, so no Node of ours. */
function isNode(link: string): boolean {
  try {
    return basename(readlinkSync(link)) === 'node';
  } catch {
    return false;
  }
}
