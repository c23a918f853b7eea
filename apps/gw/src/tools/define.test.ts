import { describe, expect, it } from 'vitest';
import { createJobs } from './jobs.ts';
import { createTools } from './tools.ts';

const runner = async (): Promise<never> => {
  throw new Error('not started');
};
const toolsWith = (statusTool: boolean) =>
  createTools({ jobs: createJobs(), runner, statusTool, variables: new Map() });
const tools = toolsWith(true);
const named = (name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  return tool;
};

describe('the tools that the model sees', () => {
  it('have the names and arguments of the contract', () => {
    const shown = tools.map(({ name, parameters: { properties, required = [] } }) =>
      [name, ...Object.keys(properties).map((one) => (required.includes(one) ? one : `${one}?`))].join(' '),
    );
    expect(shown).toEqual([
      'Read file_path offset? limit?',
      'List path?',
      'Search pattern path? glob?',
      'Write file_path content',
      'Edit file_path old_string new_string replace_all?',
      'MultiEdit file_path edits',
      'Bash command timeout_seconds? background?',
      'BashOutput job',
      'BashStop job',
      'Fetch url',
      'Checklist items',
      'AskQuestion question options?',
      'Agent prompt agent?',
      'Status state',
    ]);
  });

  it('have Status only where it was asked for', () => {
    expect(toolsWith(false).map(({ name }) => name)).toEqual(tools.slice(0, -1).map(({ name }) => name));
  });

  it('say what each argument is for', () => {
    for (const { name, description, parameters } of tools) {
      expect(description, name).toMatch(/^[A-Z][^\n]*\.$/);
      expect(parameters, name).toMatchObject({ type: 'object' });
      for (const [argument, schema] of Object.entries(parameters.properties))
        expect(schema, `${name}.${argument}`).toHaveProperty('description');
    }
  });
});

describe('wrong arguments', () => {
  it.each([
    ['Write', {}, /^Write was not run\. file_path is missing; content is missing\. It takes file_path, content\.$/],
    [
      'Bash',
      { command: '' },
      /^Bash was not run\. command is empty\. It takes command, timeout_seconds\?, background\?\.$/,
    ],
    [
      'Edit',
      null,
      /^Edit was not run\. what was sent is empty\. It takes file_path, old_string, new_string, replace_all\?\.$/,
    ],
    [
      'MultiEdit',
      { file_path: 'a', edits: [] },
      /^MultiEdit was not run\. edits is empty\. It takes file_path, edits\.$/,
    ],
    ['Read', [], /^Read was not run\. what was sent must be /],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x' }] }, /edits\.0\.new_string is missing/],
    ['Checklist', { items: [{ text: 'x', state: 'finished' }] }, /items\.0\.state must be /],
    ['Bash', { command: 'x', timeout_seconds: 0 }, /timeout_seconds must be /],
    ['Bash', { command: 'x', timeout_seconds: 3601 }, /timeout_seconds must be /],
    ['Read', { file_path: 'a', offset: 0 }, /offset must be /],
    ['Status', { state: 'x'.repeat(201) }, /state must /],
  ])('of %s %j are all named, with what it takes', (name, args, message) => {
    const parsed = named(name).parse(args);
    expect(parsed.ok ? '' : parsed.message).toMatch(message);
  });

  it('that no tool knows are left out', () => {
    expect(named('List').parse({ path: 'src', recursive: true })).toEqual({ ok: true, args: { path: 'src' } });
  });
});

describe('the target of a call', () => {
  it.each([
    ['Bash', { command: 'git status' }, 'command', 'git status'],
    ['List', {}, 'path', '.'],
    ['Search', { pattern: 'x' }, 'path', '.'],
    ['Search', { pattern: 'x', path: 'src' }, 'path', 'src'],
    ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, 'path', 'a.ts'],
    ['BashStop', { job: 3 }, 'command', 'job 3'],
    ['Fetch', { url: 'https://example.org:8443/a?b' }, 'host', 'example.org:8443'],
    ['AskQuestion', { question: 'Which\n one?' }, 'command', 'Which one?'],
    ['Agent', { prompt: 'x' }, 'command', 'sub-agent'],
    ['Agent', { prompt: 'x', agent: 'reviewer' }, 'command', 'reviewer'],
    ['Checklist', { items: [] }, 'command', '0 items'],
  ] as const)('%s %j is the %s %s', (name, args, kind, value) => {
    const tool = named(name);
    const parsed = tool.parse(args);
    expect(parsed.ok && tool.target(parsed.args)).toEqual({ kind, value });
  });
});
