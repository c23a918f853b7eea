import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Tool } from '../agent/types/index.ts';
import { listDirectory } from '../files/listing.ts';
import { type Project, staysWithin } from '../files/project.ts';
import { readText } from '../files/reading.ts';
import * as s from '../schema/index.ts';
import { defineTool } from '../tools/define.ts';

/** A Markdown file of the project or the user that extends `gw`. */
export interface ExtensionFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly origin: 'user' | 'project';
}

/**
 * The files of a folder of `.gateway`, of the project before those of home: `NAME.md`, or `NAME/<inner>`. Of a name, the first
 * counts. Links that leave the project are not followed.
 */
export async function extensionFiles(
  project: Project,
  home: string | null,
  folder: 'commands' | 'skills',
  inner: string | null,
): Promise<readonly ExtensionFile[]> {
  const found = new Map<string, ExtensionFile>();
  const places = [
    ...(project.foreign ? [] : [{ base: project.directory, origin: 'project' as const }]),
    ...(home === null || home === project.directory ? [] : [{ base: home, origin: 'user' as const }]),
  ];
  for (const { base, origin } of places) {
    const at = join(base, '.gateway', folder);
    const listing = await listDirectory(at);
    if (listing.state !== 'read') continue;
    for (const { name: entry, kind, nameable } of listing.entries) {
      const name = inner === null ? entry.replace(/\.md$/, '') : entry;
      if (!nameable || !/^[\w-]{1,64}$/.test(name) || found.has(name)) continue;
      if (inner === null ? kind === 'directory' || !entry.endsWith('.md') : kind === 'file') continue;
      const path = inner === null ? join(at, entry) : join(at, entry, inner);
      if (origin === 'project' && !(await staysWithin(base, path))) continue;
      const reading = await readText(path);
      if (reading.state === 'read') found.set(name, { name, path, text: reading.text, origin });
    }
  }
  return [...found.values()];
}

/** The members between the two lines `---` at the head of a file, which may be absent, and the text below them. */
export function splitFrontMatter(file: string): {
  readonly members: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const lines = file.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1;
  if (end < 0) return { members: {}, body: lines.join('\n').trim() };
  const members: Record<string, string> = {};
  let latest = '';
  for (const line of lines.slice(1, end)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      latest = name.toLowerCase();
      members[latest] = value
        .replace(/^(['"])(.*)\1\s*$/, '$2')
        .replace(/^[|>][+-]?$/, '')
        .trim();
    } else if (latest !== '' && /^\s+\S/.test(line))
      members[latest] =
        `${members[latest] ?? ''}${line.trim().startsWith('- ') ? ', ' : ' '}${line.trim().replace(/^- /, '')}`.replace(
          /^[, ]+/,
          '',
        );
  }
  return {
    members,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** What the person agrees to where a file is the project's: all of its text counts, by its digest. */
export function requestOf(kind: 'command' | 'skill', { name, path, text }: ExtensionFile, project: string) {
  const digest = createHash('sha256').update(text).digest('hex');
  const rows: [string, string][] = [
    ['File', path.slice(project.length + 1)],
    ['Beginning', text.trim().slice(0, 400)],
    ['SHA-256', digest],
  ];
  return { kind, name, shown: rows, place: path.slice(project.length + 1) };
}

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

/** Knowledge for a kind of task (Agent Skills): its name and description are in the prompt, its text is read when needed. */
export interface Skill {
  readonly file: ExtensionFile;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}
const MOST_DESCRIPTION = 1024;
const MOST_CHARACTERS = 60_000;

export async function findSkills(project: Project, home: string | null): Promise<readonly Skill[]> {
  return (await extensionFiles(project, home, 'skills', 'SKILL.md')).flatMap((file) => {
    const { members, body } = splitFrontMatter(file.text);
    const { name = file.name, description = '' } = members;
    return description === '' || body === ''
      ? []
      : [{ file, name, description: description.slice(0, MOST_DESCRIPTION), body }];
  });
}

/** What the prompt says of skills; null where there are none. */
export function skillLines(skills: readonly Skill[]): string | null {
  if (skills.length === 0) return null;
  return `Skills: instructions for kinds of tasks. Where one fits the task, call Skill with its name first.\n${skills
    .map(({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ')}`)
    .join('\n')}`;
}

/** Gives the model the text of a skill. */
export function createSkillTool(skills: () => readonly Skill[]): Tool {
  return defineTool({
    name: 'Skill',
    description: 'Gives the instructions of a skill that the prompt lists.',
    schema: s.object({ name: s.string({ min: 1 }).describe('Name of the skill.') }),
    effect: 'none',
    target: ({ name }) => ({ kind: 'command', value: name }),
    run({ name }) {
      const skill = skills().find((one) => one.name === name);
      const names = skills()
        .map((one) => one.name)
        .join(', ');
      if (skill === undefined)
        return Promise.resolve({
          outcome: 'failed' as const,
          content: `There is no skill ${name}. There are: ${names}.`,
        });
      const folder = dirname(skill.file.path);
      const content = `Skill ${name}. Its files are in ${folder}.\n\n${skill.body}`;
      const left = content.length - MOST_CHARACTERS;
      const cut = `${content.slice(0, MOST_CHARACTERS)}\n[${left} more characters: Read ${skill.file.path}]`;
      return Promise.resolve({ outcome: 'succeeded' as const, content: left > 0 ? cut : content });
    },
  });
}
