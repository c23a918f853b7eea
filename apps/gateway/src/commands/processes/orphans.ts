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
        'Process 1 is Node, which does not collect what agent commands leave behind: the table of processes fills up, one entry a command. Start the container with an init (docker run --init).',
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
