import type { Context } from '../process/context.ts';
import type { Project } from '../project/project.ts';
import { openTrust, type Trust } from '../trust/open.ts';

/**
 * The trust of sessions and of `gw trust`: all that the project's files ask for, of every kind. A new kind of file that needs
 * consent adds its requests to `more`, and asks `isGranted` before its use.
 */
export function openProjectTrust(
  { environment, now }: Context,
  project: Project,
  home: string,
  config: string | null,
): Promise<Trust> {
  return openTrust({ environment, project, config, home, now, more: [] });
}
