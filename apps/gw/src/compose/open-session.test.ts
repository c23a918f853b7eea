import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentSession, SessionState } from '../agent/types/index.ts';
import { openSessionWorld, type SessionWorld, use } from '../testing/session-world.ts';
import { type EditorPorts } from './dependencies.ts';
import { openSession, type SessionStart } from './open-session.ts';
import type { SessionOptions } from './session-options.ts';
import { openWorkspace } from './workspace.ts';

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

const OPTIONS: SessionOptions = {
  config: null,
  org: null,
  mode: 'normal',
  verbose: false,
  statusTool: false,
  rules: [],
  servers: [],
  model: null,
  prompts: [],
  tools: [],
  agent: null,
  addedFolders: [],
};
async function open(start: Partial<SessionStart> = {}, options: Partial<SessionOptions> = {}): Promise<AgentSession> {
  const workspace = await openWorkspace(world.context(), { ...OPTIONS, ...options });
  return openSession(workspace, { state: null, interactive: false, mode: 'normal', ...start });
}
const own = (...names: readonly string[]): string => join(world.home, '.gateway', ...names);
/** The kinds of the entries of a session's record. */
const recorded = ({ id }: SessionState): readonly string[] =>
  readFileSync(own('record', `${id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);

describe('a session', () => {
  it('writes nothing before its first message, and calls nothing', async () => {
    const session = await open();
    expect(existsSync(own('sessions'))).toBe(false);
    expect(existsSync(own('record'))).toBe(false);
    await session.close();
    expect(readdirSync(own())).toEqual(['config.yaml']);
    expect(world.engine.requests).toEqual([]);
  });

  it('records its beginning before the prompt, and its end once', async () => {
    const session = await open();
    world.engine.play(['One.', 'Two.']);
    await session.submit('First.');
    await session.submit('Second.');
    await session.close();
    await session.close();
    expect(recorded(session.state)).toEqual(['session-started', 'authentication', 'prompt', 'prompt', 'session-ended']);
  });

  it('is open for one process at a time, and given back when it is closed', async () => {
    const first = await open();
    world.engine.play(['One.']);
    await first.submit('First.');
    const { state } = first;
    await expect(open({ state })).rejects.toThrow(/^The session .* is open already, .*gw --fork/);
    await first.close();
    const second = await open({ state });
    await second.close();
  });

  it('that is resumed continues with what was saved last, whatever it was given', async () => {
    const first = await open();
    world.engine.play(['One.', 'Two.', 'Three.']);
    await first.submit('First.');
    const { state } = first;
    await first.submit('Second.');
    await first.close();
    const resumed = await open({ state });
    await resumed.submit('Third.');
    await resumed.close();
    expect(resumed.state.turns).toBe(3);
    const sent = world.engine.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(sent?.slice(1)).toEqual(['First.', 'One.', 'Second.', 'Two.', 'Third.']);
    expect(recorded(state).filter((kind) => kind === 'session-started')).toHaveLength(2);
  });

  it('keeps the model of its last turn when it is resumed, unless another is named', async () => {
    const more = `  - { name: Second, model: second-id, endpoint: "${world.engine.url}/demo/v1" }\n`;
    const path = 'home/casey/.gateway/config.yaml';
    world.write(path, readFileSync(join(world.root, path), 'utf8') + more);
    const first = await open({}, { model: 'Second' });
    world.engine.play(['One.']);
    await first.submit('First.');
    await first.close();
    const { state } = first;
    for (const [options, name] of [
      [{}, 'Second'],
      [{ model: 'Scripted' }, 'Scripted'],
    ] as const) {
      const resumed = await open({ state }, options);
      expect(resumed.model.name).toBe(name);
      await resumed.close();
    }
    const gone = await open({ state: { ...state, id: '0198c0de-0000-7000-8000-000000000000', model: 'Removed' } });
    expect(gone.model.name).toBe('Scripted');
    await gone.close();
  });
});

describe('the tools that the model sees', () => {
  const offered = (at = -1) => (world.engine.requests.at(at)?.body.tools ?? []).map(({ function: { name } }) => name);

  it.each<readonly [string, readonly string[]]>([
    ['[Read, bash]', ['Read', 'Bash']],
    ['["Bash(git *)", "Multi*"]', ['MultiEdit', 'Bash']],
    ['["B*"]', ['Bash', 'BashOutput', 'BashStop']],
    ['[Nothing]', []],
  ])('are those that its agent names: %s', async (tools, names) => {
    world.write('home/casey/.gateway/agents/one.md', `---\nname: one\ntools: ${tools}\n---\nGo.\n`);
    const session = await open({}, { agent: 'one' });
    await session.submit('Go.');
    await session.close();
    expect(offered()).toEqual(names);
  });

  it('have Status only where it was asked for', async () => {
    for (const statusTool of [false, true]) {
      const session = await open({}, { statusTool });
      await session.submit('Go.');
      await session.close();
      expect(offered().includes('Status')).toBe(statusTool);
    }
  });
});

it('files of an editor are read from it, and its sub-agents see them too', async () => {
  const reads: string[] = [];
  const editor = (): EditorPorts => ({
    files: {
      async read(path) {
        reads.push(path);
        return 'as the editor shows it\n';
      },
      write: async () => false,
    },
    runner: ({ runner }) => runner,
    servers: [],
  });
  world.write('work/shop/a.txt', 'on the disk\n');
  const session = await open({ editor });
  const read = use('Read', { file_path: 'a.txt' });
  world.engine.play([read, use('Agent', { prompt: 'Look.' }), read, 'Seen.', 'Done.']);
  await session.submit('Go.');
  await session.close();
  const shown = world.engine.requests.map(({ text }) => text).filter((text) => text.includes('as the editor shows it'));
  expect(reads).toEqual([join(world.project, 'a.txt'), join(world.project, 'a.txt')]);
  expect(shown.length).toBeGreaterThan(1);
  expect(world.engine.requests.some(({ text }) => text.includes('on the disk'))).toBe(false);
});
