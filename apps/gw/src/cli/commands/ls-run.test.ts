import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const idOf = (number: number): string => `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Stores a session as `gw` does; the higher its number, the newer it is. */
function stored(number: number, change: object = {}): string {
  const id = idOf(number);
  const at = new Date(Date.UTC(2026, 0, 31, 9, 0, number)).toISOString();
  const state = {
    version: 1,
    id,
    parent: null,
    title: `Title ${number}`,
    directory: world.project,
    project: world.project,
    model: 'Coder',
    startedAt: at,
    updatedAt: at,
    turns: number,
    messages: [],
    usage: { inputTokens: 0, outputTokens: 0, calls: 0 },
    contextTokens: 0,
    cost: null,
    checklist: [],
    ...change,
  };
  world.write(`home/casey/.gateway/sessions/${id}.json`, `${JSON.stringify(state)}\n`);
  return id;
}
/** `gw ls` where a person sits, who answers this. */
const picking = async (answer: string | null) => {
  const asked: string[] = [];
  const ask = async (question: string): Promise<string | null> => {
    asked.push(question);
    return answer;
  };
  return { ...(await world.gw(['ls'], { terminal: { input: true, output: true, ask } })), asked };
};

describe('gw ls', () => {
  it('says that there is none, and prints an empty list for programs', async () => {
    expect(await world.gw(['ls'])).toEqual({
      code: 0,
      out: 'There are no sessions yet. Start one with gw.\n',
      err: '',
    });
    expect(await world.gw(['ls', '--json'])).toEqual({ code: 0, out: '{"sessions":[]}\n', err: '' });
    expect((await picking('1')).asked).toEqual([]);
  });

  it('lists every session without numbers where nobody can pick, the newest first', async () => {
    stored(1);
    stored(2, { title: '' });
    expect((await world.gw(['ls'])).out).toBe(
      `Untitled
${idOf(2)}  2026-01-31 09:00  2 turns  ${world.project}
Title 1
${idOf(1)}  2026-01-31 09:00  1 turn  ${world.project}
`,
    );
  });

  it('has exactly the members of the contract as JSON, and no conversation', async () => {
    stored(1, { messages: [{ role: 'user', content: 'THE MESSAGE' }] });
    const { out } = await world.gw(['ls', '--json']);
    const { sessions } = JSON.parse(out) as { readonly sessions: readonly object[] };
    expect(sessions.map((session) => Object.keys(session))).toEqual([
      ['id', 'title', 'directory', 'startedAt', 'updatedAt', 'model', 'turns'],
    ]);
    expect(out).not.toContain('THE MESSAGE');
    expect(out.split('\n')).toHaveLength(2);
  });

  it('shows no control character of a title or a folder', async () => {
    stored(1, { title: 'evil \x1b[2Jtitle\u202e', directory: '/tmp/\x07bell' });
    const { out } = await world.gw(['ls']);
    // oxlint-disable-next-line no-control-regex -- none may reach the terminal
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
    expect(out).toMatch(/evil .*title/);
  });

  it('moves a damaged file aside with a line, and lists the others', async () => {
    stored(1);
    const folder = join(world.home, '.gateway');
    world.write(`home/casey/.gateway/sessions/${idOf(2)}.json`, '{"torn');
    const { code, out, err } = await world.gw(['ls']);
    expect([code, out.split('\n')[0]]).toEqual([0, 'Title 1']);
    expect(err).toMatch(/^gw: .*0198c0de.*\n$/);
    expect(existsSync(join(folder, `sessions/${idOf(2)}.json`))).toBe(false);
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes(idOf(2)))).toHaveLength(1);
    expect((await world.gw(['ls'])).err).toBe('');
  });

  it('needs a home directory', async () => {
    expect(await world.gw(['ls'], { environment: { homeDirectory: null } })).toEqual({
      code: 2,
      out: '',
      err: 'gw: You have no home directory. Set HOME.\n',
    });
  });
});

describe('picking a session', () => {
  it('shows thirty with their numbers', async () => {
    for (let number = 1; number <= 35; number += 1) stored(number);
    const { code, out, asked } = await picking('');
    expect([code, asked]).toEqual([0, ['Number of the session to open (Enter: none): ']]);
    const rows = out.trimEnd().split('\n');
    expect(rows).toHaveLength(60);
    expect([rows[0], rows.at(-2)]).toEqual([' 1  Title 35', '30  Title 6']);
    expect(rows[1]).toMatch(/^ {4}0198c0de/);
  });

  it.each([null, '', '  '])('opens nothing where the answer is %j', async (answer) => {
    stored(1);
    const { code, err } = await picking(answer);
    expect([code, err]).toEqual([0, '']);
  });

  it.each(['0', '2', '-1', '1.5', '1e0', '0x1', 'one', '99999999999999999999'])('refuses %j', async (answer) => {
    stored(1);
    const { code, err } = await picking(answer);
    expect([code, err]).toEqual([2, `gw: There is no session number ${JSON.stringify(answer)}.\n`]);
  });
});
