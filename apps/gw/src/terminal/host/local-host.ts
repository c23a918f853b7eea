import { join } from 'node:path';
import type { Host } from '../device/ports.ts';
import { externalEditor } from './external-editor.ts';
import { createHistoryStore } from './history-store.ts';
import { clipboardImage, imageOf } from './images.ts';
import { projectFiles } from './project-files.ts';
import { runShell } from './user-shell.ts';

export interface LocalOptions {
  /** Root of the project, once it is known. */
  readonly project: () => string;
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly home: string | null;
  readonly variables: ReadonlyMap<string, string>;
}

/** The part of the host that reaches this machine and no session. */
export function createLocalHost({
  project,
  cwd,
  home,
  variables,
}: LocalOptions): Pick<
  Host,
  'files' | 'shell' | 'image' | 'clipboardImage' | 'externalEditor' | 'history' | 'project' | 'home'
> {
  return {
    get project() {
      return project();
    },
    home,
    files: () => projectFiles(project()),
    shell: (command, output, signal) =>
      runShell({ command, cwd, shell: variables.get('SHELL') ?? '/bin/sh' }, output, signal),
    image: (path) => imageOf(path),
    clipboardImage: () => clipboardImage(variables),
    externalEditor: (text) => externalEditor(text, variables.get('VISUAL') ?? variables.get('EDITOR') ?? null, cwd),
    history: createHistoryStore(home === null ? null : join(home, '.gateway', 'history.jsonl')),
  };
}
