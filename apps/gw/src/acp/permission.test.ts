import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEditor } from './testing/editor.ts';

/** A project with a tool server that leaves a mark as soon as it runs. */
async function editorIn(choices: Parameters<Awaited<ReturnType<typeof openEditor>>['choices']['push']>) {
  const lines: string[] = [];
  const editor = await openEditor({}, { terminal: { report: (line) => void lines.push(line) } });
  const mark = join(editor.world.root, 'mark');
  const args = ['-e', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`];
  const server = { name: 'helper', command: process.execPath, args, env: { COLOUR: 'blue' } };
  editor.world.write('work/shop/.gateway/config.yaml', JSON.stringify({ mcpServers: [server] }));
  editor.choices.push(...choices);
  editor.world.engine.play(['Answer.', 'Answer.']);
  const id = await editor.open();
  expect(editor.asked).toEqual([]);
  expect(await editor.say(id, 'Hello')).toBe('end_turn');
  return { editor, id, lines, isStarted: () => existsSync(mark) };
}

it('a project’s server is asked for before the first message, with all of it', async () => {
  const { editor, id, isStarted } = await editorIn(['allow_always']);
  const text = JSON.stringify(editor.asked[0]);
  for (const part of ['helper', process.execPath, 'writeFileSync', editor.world.project, 'Sets COLOUR', 'blue'])
    expect(text).toContain(part);
  expect(isStarted()).toBe(true);
  await editor.say(id, 'Again');
  expect(editor.asked).toHaveLength(1);
  expect(existsSync(join(editor.world.home, '.gateway/trust.json'))).toBe(true);
});

it('a yes for the session is not kept', async () => {
  const { editor, isStarted } = await editorIn(['allow_once']);
  expect([isStarted(), existsSync(join(editor.world.home, '.gateway/trust.json'))]).toEqual([true, false]);
});

it.each(['reject_once', 'cancelled'] as const)('%s starts nothing, and standard error names it', async (choice) => {
  const { isStarted, lines } = await editorIn([choice]);
  expect([isStarted(), lines.join()]).toEqual([
    false,
    expect.stringContaining('the MCP server helper of this project'),
  ]);
});

it('an editor that does not answer agrees to nothing', async () => {
  const editor = await openEditor();
  editor.failing.add('permission');
  editor.world.write(
    'work/shop/.gateway/config.yaml',
    JSON.stringify({ mcpServers: [{ name: 'x', command: 'false' }] }),
  );
  editor.world.engine.play(['Answer.']);
  expect(await editor.say(await editor.open(), 'Hello')).toBe('end_turn');
  expect(JSON.stringify(editor.of('agent_thought_chunk'))).toContain('the MCP server x of this project is ignored');
});
