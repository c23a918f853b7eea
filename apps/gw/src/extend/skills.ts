import { dirname } from 'node:path';
import type { Tool } from '../agent/types.ts';
import type { Project } from '../project/project.ts';
import * as s from '../schema/index.ts';
import { defineTool } from '../tools/definition/define.ts';
import { type ExtensionFile, extensionFiles, splitFrontMatter } from './extension-files.ts';

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
