import type { Project } from '../project/project.ts';
import { type ExtensionFile, extensionFiles, splitFrontMatter } from './extension-files.ts';

/** A command of the person's or the project's own: a prompt under a name. */
export interface OwnCommand {
  readonly file: ExtensionFile;
  readonly name: string;
  readonly description: string;
  /** The model for its turn, by its readable name or identifier. */
  readonly model: string | null;
  /** The tools of its turn; null offers all. */
  readonly tools: readonly string[] | null;
  readonly body: string;
}

export async function findCommands(project: Project, home: string | null): Promise<readonly OwnCommand[]> {
  return (await extensionFiles(project, home, 'commands', null)).map((file) => {
    const { members, body } = splitFrontMatter(file.text);
    const tools = members['tools']?.replace(/^\[|\]$/g, '');
    return {
      file,
      name: file.name,
      description: members['description'] ?? body.split('\n')[0]?.slice(0, 100) ?? '',
      model: members['model'] || null,
      tools:
        tools === undefined || tools === ''
          ? null
          : tools.split(',').map((one) => one.trim().replace(/^(['"])(.*)\1$/, '$2')),
      body,
    };
  });
}

/** The prompt of a command: `$ARGUMENTS` is all that was typed behind its name, `$1` the first word of it. */
export function expandCommand(body: string, given: string): string {
  const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
  const hasPlace = /\$(?:ARGUMENTS|[1-9])/.test(body);
  const expanded = body.replaceAll(/\$(ARGUMENTS|[1-9])/g, (_, name: string) =>
    name === 'ARGUMENTS' ? given : (words[Number(name) - 1] ?? ''),
  );
  return hasPlace || given === '' ? expanded : `${expanded}\n\n${given}`;
}

/** The command and the arguments of a message such as `/review src`; null where it names none. */
export function commandIn(
  message: string,
  commands: readonly OwnCommand[],
): { readonly command: OwnCommand; readonly given: string } | null {
  const [, name, given = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(message.trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  return command === undefined ? null : { command, given: given.trim() };
}
