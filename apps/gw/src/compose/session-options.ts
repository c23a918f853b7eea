import type { Mode } from '../agent/types/index.ts';
import { findCommands, findSkills, requestOf } from '../extend/extension-files.ts';
import type { Project } from '../files/project.ts';
import type { Context } from '../process/context.ts';
import { openTrust, type Trust } from '../trust/open.ts';

/** A rule of the command line, in the order given. */
export interface ToolOption {
  readonly option: '--allow' | '--ask' | '--exclude';
  /** `Tool` or `Tool(pattern)`. */
  readonly rule: string;
}

export interface SessionOptions {
  readonly config: string | null;
  readonly org: string | null;
  readonly mode: Mode;
  readonly verbose: boolean;
  readonly statusTool: boolean;
  readonly rules: readonly string[];
  readonly servers: readonly string[];
  readonly model: string | null;
  readonly prompts: readonly string[];
  readonly tools: readonly ToolOption[];
  readonly agent: string | null;
  /** Folders of `--add-dir`, as they were written. */
  readonly addedFolders: readonly string[];
}

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
