import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { commandIn, expandCommand, findCommands, findSkills, skillLines } from './extension-files.ts';
import { createHooks } from './hooks.ts';

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, '.gateway', name)), { recursive: true });
    writeFileSync(join(home, '.gateway', name), content);
  }
  return home;
}
const projectAt = (directory: string) =>
  ({ directory, foreign: false, repository: false }) as Parameters<typeof findCommands>[0];

it('commands are found in the project before home, and expanded with what was typed', async () => {
  const [project, home] = [
    homeWith({
      'commands/review.md':
        '---\ndescription: Review a folder\nmodel: Big\ntools: [Read, Search]\n---\nReview $1 for $ARGUMENTS.',
    }),
    homeWith({ 'commands/review.md': 'Mine.', 'commands/greet.md': 'Say hello.' }),
  ];
  const commands = await findCommands(projectAt(project), home);
  expect(commands).toMatchObject([
    {
      name: 'review',
      description: 'Review a folder',
      model: 'Big',
      tools: ['Read', 'Search'],
      file: { origin: 'project' },
    },
    { name: 'greet', description: 'Say hello.', model: null, tools: null, file: { origin: 'user' } },
  ]);
  const found = commandIn('/review "src a" bugs', commands);
  expect(expandCommand(found?.command.body ?? '', found?.given ?? '')).toBe('Review src a for "src a" bugs.');
  expect(expandCommand('Say hello.', 'to Ada')).toBe('Say hello.\n\nto Ada');
  expect(commandIn('/usr/bin is a folder', commands)).toBeNull();
});

it('skills are in the prompt by name and description alone', async () => {
  const home = homeWith({
    'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: >\n  Reads\n  PDF files\n---\nTHE BODY',
    'skills/none/SKILL.md': 'No front matter.',
  });
  const skills = await findSkills(projectAt(temporaryFolder()), home);
  expect(skillLines(skills)).toMatch(/- pdf: Reads PDF files$/);
  expect(skills.map(({ body }) => body)).toEqual(['THE BODY']);
});

it.each([
  ['exit 0', 'Bash(git *)', null, []],
  ['cat >/dev/null; echo not today >&2; exit 2', 'Bash(git *)', 'not today', []],
  ['exit 2', 'Write', null, []],
  ['echo broken >&2; exit 1', 'Bash', null, ['The hook echo broken >&2; exit 1 failed (exit code 1): broken']],
  ['grep -q "\\"tool\\":\\"Bash\\"" && exit 2', '*', expect.stringContaining('denied'), []],
  ['sleep 20', '*', null, ['The hook sleep 20 was ended after 0.2 seconds.']],
])('a hook before a call: %s, about %s', async (command, rule, reason, notices) => {
  const said: string[] = [];
  const hook = { on: 'before-tool', tools: [rule], command, timeoutSeconds: 0.2 } as const;
  const slow = command.startsWith('sleep') ? hook : { ...hook, timeoutSeconds: 60 };
  const variables = { PATH: '/usr/bin:/bin' };
  const hooks = createHooks([slow], { cwd: '/', session: 's', variables, notice: (text) => void said.push(text) });
  const denied = await hooks.beforeTool({ tool: 'Bash', target: 'cd a && git push', arguments: {} });
  expect([denied?.reason ?? null, said]).toEqual([reason, notices]);
});
