import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProject, type Project } from '../files/project.ts';
import { openWorld, type World } from '../testing/world.ts';
import { textOrFile } from '../trust/decide.ts';
import { findAgent, listAgents } from './find-agent.ts';

let world: World;
let project: Project;
beforeEach(async () => {
  world = openWorld();
  project = await findProject(world.project, process.getuid?.() ?? null);
});
afterEach(() => world.close());

const agent = (name: string, prompt = `I am ${name}.`): string => `---\nname: ${name}\n---\n${prompt}\n`;
const environment = () => world.context().environment;
const find = (word: string, of: Project = project) => findAgent(environment(), of, '--agent', word);
const names = async (of: Project = project) => [...(await listAgents(environment(), of)).keys()];

describe('agents', () => {
  it('of the project come before those of home, and one of the same name counts', async () => {
    world.write('work/shop/.gateway/agents/one.md', agent('reviewer', 'Of the project.'));
    world.write('home/casey/.gateway/agents/two.md', agent('reviewer', 'Of home.'));
    world.write('home/casey/.gateway/agents/three.md', agent('writer'));
    expect(await names()).toEqual(['reviewer', 'writer']);
    expect((await find('reviewer')).prompt).toBe('Of the project.');
  });

  it('are named by their file, not by its name', async () => {
    world.write('home/casey/.gateway/agents/file.md', agent('reviewer'));
    await expect(find('file')).rejects.toThrow(
      '--agent file: there is no such agent and no such file. There are: reviewer.',
    );
  });

  it('with faults, of another ending, or in folders are left out', async () => {
    world.write('home/casey/.gateway/agents/broken.md', '---\nname: broken\n');
    world.write('home/casey/.gateway/agents/other.txt', agent('other'));
    world.write('home/casey/.gateway/agents/deep.md/inner.md', agent('inner'));
    expect(await names()).toEqual([]);
    await expect(find('broken')).rejects.toThrow(/There are none yet: put one into \.gateway\/agents\/\.$/);
  });

  it('of a project of somebody else are not read', async () => {
    world.write('work/shop/.gateway/agents/one.md', agent('reviewer'));
    expect(await names({ ...project, foreign: true })).toEqual([]);
  });

  it('are not read through a link that leaves the project; those of home may be links', async () => {
    const outside = world.write('elsewhere/agent.md', agent('outside'));
    world.write('work/shop/.gateway/agents/own.md', agent('own'));
    world.write('home/casey/.gateway/agents/own.md', agent('mine'));
    symlinkSync(outside, join(world.project, '.gateway/agents/link.md'));
    expect(await names()).toEqual(['own', 'mine']);
    symlinkSync(outside, join(world.home, '.gateway/agents/link.md'));
    expect(await names()).toEqual(['own', 'outside', 'mine'].toSorted((a, b) => (a === 'own' ? -1 : a > b ? -1 : 1)));
  });
});

describe('an agent', () => {
  it('may be a file anywhere, relative to the current folder', async () => {
    world.write('work/shop/mine.md', agent('mine', 'Of a file.'));
    expect(await find('mine.md')).toMatchObject({ name: 'mine', prompt: 'Of a file.', tools: null, rules: [] });
    expect((await find(join(world.project, 'mine.md'))).name).toBe('mine');
  });

  it('has its tools and rules as a list, also where they are one text', async () => {
    world.write('work/shop/a.md', '---\nname: a\ntools: "Read, Bash(git *) ,"\nrules: Be brief.\n---\nGo.\n');
    expect(await find('a.md')).toMatchObject({ tools: ['Read', 'Bash(git *)'], rules: ['Be brief.'] });
  });

  it('whose file has faults is refused with their places', async () => {
    world.write('work/shop/a.md', '---\nname: a\ntool: Read\n---\nGo.\n');
    await expect(find('a.md')).rejects.toThrow(/a\.md.*3.*tool/s);
  });
});

describe('the words of --rule and --prompt', () => {
  const words = (word: string): Promise<string> => textOrFile(environment(), '--rule', word);

  it('are the content of a file of that name, else themselves', async () => {
    world.write('work/shop/style.md', '\n Use tabs. \n');
    expect(await words('style.md')).toBe('Use tabs.');
    expect(await words('Use blanks.')).toBe('Use blanks.');
    expect(await words('first\nsecond')).toBe('first\nsecond');
    expect(await words('x'.repeat(5000))).toHaveLength(5000);
  });

  it('are themselves where a folder has that name', async () => {
    world.write('work/shop/src/a.ts', '');
    expect(await words('src')).toBe('src');
  });

  it.each(['./style.md', '../rules/style', '~/style.md', 'style.md', '/rules/of/ours/style.md'])(
    'are refused where %s can only be the path of a file that does not exist',
    async (word) => {
      await expect(words(word)).rejects.toThrow(`--rule ${word}: there is no such file. Correct the path.`);
    },
  );

  it.each(['Read style.md', '/review', './configure && make', 'and/or/both'])(
    'are themselves where %s may be meant as words',
    async (word) => {
      expect(await words(word)).toBe(word);
    },
  );

  it('are refused where the file is no text', async () => {
    world.write('work/shop/image.png', Buffer.from([0x89, 0x50, 0, 0xff]));
    await expect(words('image.png')).rejects.toThrow(/^--rule image\.png cannot be read: /);
  });
});
