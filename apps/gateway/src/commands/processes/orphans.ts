import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * The warning for hosts where no process reaps orphans. A sandbox leaves one with each command, and the kernel gives it to
 * process 1. In a container that may be the gateway or npm: Node reaps only its own children.
 * @param first program of process 1, as a link
 */
export function orphanAnnouncements(first = '/proc/1/exe'): readonly string[] {
  return isNode(first)
    ? [
        'Process 1 is Node.js, which does not reap the processes that agent commands leave behind. The process table fills up. Start the container with an init (docker run --init).',
      ]
    : [];
}

/** An unreadable one belongs to another user, so it is not our Node. */
function isNode(link: string): boolean {
  try {
    return basename(readlinkSync(link)) === 'node';
  } catch {
    return false;
  }
}
