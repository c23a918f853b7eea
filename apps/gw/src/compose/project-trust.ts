import { findCommands } from '../extend/commands.ts';
import { requestOf } from '../extend/extension-files.ts';
import { findSkills } from '../extend/skills.ts';
import type { Context } from '../process/context.ts';
import type { Project } from '../project/project.ts';
import { openTrust, type Trust } from '../trust/open.ts';

/**
 * The trust of sessions and of `gw trust`: all that the project's files ask for, of every kind. A new kind of file that needs
 * consent adds its requests to `more`, and asks `isGranted` before its use.
 */
export async function openProjectTrust(
  { environment, now }: Context,
  project: Project,
  home: string,
  config: string | null,
): Promise<Trust> {
  const [commands, skills] = await Promise.all([findCommands(project, home), findSkills(project, home)]);
  const more = [
    ...commands.map(({ file }) => ({ kind: 'command' as const, file })),
    ...skills.map(({ file }) => ({ kind: 'skill' as const, file })),
  ].flatMap(({ kind, file }) => (file.origin === 'user' ? [] : [requestOf(kind, file, project.directory)]));
  return openTrust({ environment, project, config, home, now, more });
}
