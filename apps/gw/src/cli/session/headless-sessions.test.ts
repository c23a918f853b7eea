import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

const inProject = (name: string): string => join(world.project, name);

describe('secrets', () => {
  const secret = ['gwk', '8f3a9c1e5b7d2046f1a3c5e7092b4d6f8a0c2e4f6b8d1a3c'].join('_');
  it('in a file or a prompt never reach the model, the record or the session', async () => {
    writeFileSync(inProject('conf.ini'), `key = ${secret}\nregion = here\n`);
    const { err, envelope } = await world.print([use('Read', { file_path: 'conf.ini' }), 'End.'], [], `Use ${secret}.`);
    for (const { text } of world.engine.requests) expect(text).not.toContain(secret);
    expect(err).toContain('masked');
    expect(err).not.toContain(secret);
    for (const file of [`sessions/${envelope.session}.json`, `record/${envelope.session}.jsonl`])
      expect(readFileSync(join(world.home, '.gateway', file), 'utf8')).not.toContain(secret);
  });
});

describe('sub-agents', () => {
  it('answer the agent from a session of their own', async () => {
    const { envelope } = await world.print([use('Agent', { prompt: 'For the child.' }), 'ANSWER-OF-THE-CHILD', 'End.']);
    expect(envelope.answer).toBe('End.');
    expect(world.engine.results()[0]).toContain('ANSWER-OF-THE-CHILD');
    const sessions = world.engine.requests.map(({ headers }) => headers['x-gateway-session']);
    expect(new Set(sessions).size).toBe(2);
    expect(world.engine.requests[1]?.body.tools?.map(({ function: { name } }) => name)).not.toContain('Agent');
    expect(envelope.usage).toEqual({ inputTokens: 30, outputTokens: 15, calls: 3 });
  });

  it('are asked for their own tools one by one', async () => {
    const { code, envelope } = await world.print([
      use('Agent', { prompt: 'For the child.' }),
      use('Write', { file_path: 'pwned', content: 'x' }),
      'I could not.',
      'End.',
    ]);
    expect([code, envelope.denied.map(({ tool }) => tool)]).toEqual([3, ['Write']]);
  });

  it('take the prompt and the tools of an agent file', async () => {
    world.write('work/shop/.gateway/agents/reader.md', '---\nname: reader\ntools: [Read]\n---\nYou only read.\n');
    await world.print([use('Agent', { prompt: 'Look.', agent: 'reader' }), 'Looked.', 'End.']);
    const child = world.engine.requests[1];
    expect(child?.body.tools?.map(({ function: { name } }) => name)).toEqual(['Read']);
    expect(child?.body.messages[0]?.content).toContain('You only read.');
  });

  it('that are unknown are reported to the model', async () => {
    await world.print([use('Agent', { prompt: 'Look.', agent: 'nobody' }), 'End.']);
    expect(world.engine.results()[0]).toContain('nobody');
  });
});

describe('compaction', () => {
  it('keeps the task and the latest turns, and says what it dropped', async () => {
    world.write(
      'home/casey/.gateway/config.yaml',
      `models:\n  - name: Small\n    contextLength: 4000\n    endpoint: ${world.engine.url}/demo/v1\n`,
    );
    writeFileSync(inProject('a.txt'), 'some words in a line\n'.repeat(300));
    const read = { ...use('Read', { file_path: 'a.txt' }), usage: { input: 900, output: 10 } };
    const full = { ...use('List', {}), usage: { input: 3900, output: 10 } };
    const { envelope, err } = await world.print([read, read, full, 'THE-SUMMARY', 'End.'], [], 'THE-TASK');
    expect(envelope.answer).toBe('End.');
    expect(err).toMatch(/gw: \d+ earlier messages were summarized/);
    const last = world.engine.requests.at(-1)?.text ?? '';
    expect(last).toContain('THE-TASK');
    expect(last).toContain('THE-SUMMARY');
  });
});

describe('saved sessions', () => {
  const at = (second: number) => ({ now: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) });
  const ls = async () => {
    const { out, err } = await world.gw(['ls', '--json']);
    return {
      err,
      sessions: (JSON.parse(out) as { sessions: { id: string; turns: number; title: string }[] }).sessions,
    };
  };

  it('are listed, the newest first', async () => {
    const first = (await world.print(['One.'], [], 'Name\nthe colours.', at(1))).envelope.session;
    const second = (await world.print(['Two.'], [], 'Again.', at(2))).envelope.session;
    expect((await ls()).sessions.map(({ id, title, turns }) => [id, title, turns])).toEqual([
      [second, 'Again.', 1],
      [first, 'Name the colours.', 1],
    ]);
  });

  it('continue with --resume', async () => {
    const first = (await world.print(['FIRST-ANSWER'], [], 'FIRST-QUESTION', at(1))).envelope.session;
    const { envelope } = await world.print(['Second.'], ['--resume'], 'And then?', at(2));
    expect(envelope.session).toBe(first);
    expect(world.engine.requests[0]?.text).toMatch(/FIRST-QUESTION.*FIRST-ANSWER.*And then\?/);
    expect((await ls()).sessions[0]?.turns).toBe(2);
  });

  it('are copied with --fork, and the old file does not change', async () => {
    const first = (await world.print(['FIRST-ANSWER'], [], 'FIRST-QUESTION', at(1))).envelope.session;
    const file = join(world.home, '.gateway/sessions', `${first}.json`);
    const before = readFileSync(file, 'utf8');
    const { envelope } = await world.print(['Second.'], ['--fork', first], 'And then?', at(2));
    expect(envelope.session).not.toBe(first);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(world.engine.requests[0]?.headers['x-gateway-session']).toBe(envelope.session);
  });

  it.each([
    [['--resume']],
    [['--fork', 'x']],
    [['--fork', '../../config']],
    [['--fork', '0198c0de-0000-7000-8000-00000000dead']],
  ])('%j without a session is refused', async (options) => {
    const { code, err } = await world.gw(['-p', ...options, 'hello']);
    expect(code).toBe(2);
    expect(err).toContain(options.at(-1));
    expect(world.engine.requests).toEqual([]);
  });

  // client-17
  it('that are torn or foreign are moved aside with a line', async () => {
    const good = (await world.print(['One.'], [], 'one', at(1))).envelope.session;
    const torn = (await world.print(['Two.'], [], 'two', at(2))).envelope.session;
    const file = join(world.home, '.gateway/sessions', `${torn}.json`);
    const text = readFileSync(file, 'utf8').slice(0, -40);
    writeFileSync(file, text);
    world.write('home/casey/.gateway/sessions/notes.json', '{"hello": []}');
    const { sessions, err } = await ls();
    expect(sessions.map(({ id }) => id)).toEqual([good]);
    expect(err).toContain(torn);
    const kept = readdirSync(join(world.home, '.gateway/sessions/damaged'));
    expect(kept).toHaveLength(2);
    expect((await ls()).err).toBe('');
  });
});
