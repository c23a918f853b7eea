import { describe, expect, it } from 'vitest';
import type { Job, ServerStatus } from '../../agent/types/index.ts';
import { createFakeSession, fakeModel } from '../testing/fake-session.ts';
import { openTerminal, type WorldOptions } from '../testing/terminal-world.ts';

const ENTER = '\r';
/** What is shown after a command. */
async function after(command: string, options: WorldOptions = {}): Promise<string> {
  const world = await openTerminal(options);
  await world.press(command, ENTER);
  await world.pass();
  return world.emulator.all();
}

describe('/model', () => {
  it('takes a model by its name, and counts the context by its length', async () => {
    const model = async (name: string) => ({ ...fakeModel(name), contextLength: 1000 });
    const session = createFakeSession({ contextTokens: 900 });
    const world = await openTerminal({ session, host: { model } });
    await world.press('/model Other Model', ENTER);
    expect(session.model.name).toBe('Other Model');
    expect(world.emulator.all()).toContain('The model is now Other Model.');
    expect(world.emulator.screen()).toContain('normal · Other Model · context 90%');
  });

  it('that no configuration has leaves the model, and says which there are', async () => {
    const model = async (name: string) => Promise.reject(new Error(`No model is named ${name}. There are: A, B.`));
    const session = createFakeSession();
    expect(await after('/model C', { session, host: { model } })).toContain('No model is named C. There are: A, B.');
    expect(session.model.name).toBe('Test Model');
  });

  it('begins the list at the model in use, and Escape leaves it', async () => {
    const world = await openTerminal({ host: { models: () => ['First', 'Test Model', 'Third'] } });
    await world.press('/model', ENTER);
    expect(world.emulator.screen()).toContain(
      '  First\n› Test Model\n  Third\n↑ ↓ choose, Enter selects, Esc closes (2 of 3)',
    );
    await world.press('\x1b');
    await world.pass(40);
    expect(world.session.model.name).toBe('Test Model');
  });

  it('waits for the end of a turn', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('/model Other Model', ENTER);
    expect(world.session.model.name).toBe('Test Model');
    world.session.finish();
    await world.pass();
    expect(world.session.model.name).toBe('Other Model');
  });
});

describe('/mcp', () => {
  const server = (change: Partial<ServerStatus>): ServerStatus => ({
    name: 'docs',
    how: 'npx docs-server',
    ofProject: false,
    state: 'running',
    reason: null,
    tools: [],
    ...change,
  });

  it('shows each server with its state, why it failed, and its tools', async () => {
    const session = createFakeSession();
    session.servers = () => [
      server({ tools: ['mcp__docs__find', 'mcp__docs__read'] }),
      server({ name: 'broken', state: 'failed', reason: 'It ended with 3.', ofProject: true }),
      server({ name: 'late', state: 'not started' }),
    ];
    const text = await after('/mcp', { session });
    expect(text).toContain('docs  running\n  npx docs-server\n  mcp__docs__find\n  mcp__docs__read\n');
    expect(text).toContain('broken  failed: It ended with 3.  (named by the project)');
    expect(text).toMatch(/late {2}not started\n.*\n {2}It starts with the next message\./);
  });

  it('says that there is none', async () => {
    expect(await after('/mcp')).toContain('No MCP server is configured.');
  });

  it('shows the address of a sign-in, and how it ended', async () => {
    const text = await after('/mcp login docs');
    expect(text).toMatch(/open this address:\n\s*https:\/\/docs\.example\/authorize\n[^]*Signed in to docs\./);
  });

  it('does not let a server steer the terminal', async () => {
    const session = createFakeSession();
    session.servers = () => [server({ state: 'failed', reason: '\x1b[2J\x1b]0;x\x07gone' })];
    const world = await openTerminal({ session });
    await world.press('/mcp', ENTER);
    expect(world.emulator.all()).toContain('docs  failed: gone');
    expect(world.emulator.clears).toBe(0);
  });
});

describe('/permissions', () => {
  it('shows the rules, and forgets approvals on demand alone', async () => {
    expect(await after('/permissions')).toContain('No rule.');
    expect(await after('/permissions forget')).toContain(
      'Forgotten: 2 approvals of this project, and those of this session.',
    );
    expect(await after('/permissions all')).toContain('Write /permissions, or /permissions forget.');
  });
});

describe('/jobs', () => {
  it('shows each command by its first line, and how it ended', async () => {
    const jobs: Job[] = [
      { id: '1', command: 'make watch\nsecond line', state: 'running', exitCode: null },
      { id: '2', command: 'npm test', state: 'ended', exitCode: 3 },
      { id: '3', command: 'sleep 9', state: 'ended', exitCode: null },
    ];
    const session = createFakeSession();
    session.jobs.list = () => jobs;
    const text = await after('/jobs', { session });
    expect(text).toContain('1  running  make watch\n2  ended with 3  npm test\n3  ended with a signal  sleep 9');
    expect(await after('/jobs')).toContain('No command was started in the background.');
  });
});

describe('/info and /config', () => {
  it('/info shows the session with what it was copied from and what it cost, also during a turn', async () => {
    const usage = { inputTokens: 12_000, outputTokens: 345, calls: 7 };
    const session = createFakeSession({ parent: 'the-first', title: '', usage, cost: 0.5, contextTokens: 4000 });
    const text = await after('/info', { session, prompt: 'hello' });
    expect(text).toContain(
      'copy of   the-first\ntitle     (none yet)\nproject   /home/casey/shop\nmodel     Test Model',
    );
    expect(text).toContain('tokens    12k in, 345 out, 7 calls\ncost      €0.50, by the prices in the configuration');
    expect(text).toContain('context   4.0k of 10k tokens');
  });

  it('/info leaves out what is not known', async () => {
    const session = createFakeSession();
    session.setModel({ ...fakeModel('Unknown'), contextLength: null });
    const text = await after('/info', { session });
    expect(text).not.toMatch(/^(copy of|cost)/m);
    expect(text).toMatch(/^context {3}0 tokens$/m);
  });

  it('/config that cannot be described says why', async () => {
    const describeConfiguration = async () => Promise.reject(new Error('It was removed.'));
    expect(await after('/config', { host: { describeConfiguration } })).toContain('/config failed: It was removed.');
  });
});
