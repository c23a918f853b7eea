import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());

const acts = async () => [
  ...(await at.database.sql`select action, author, target from administration_actions order by sequence`),
];

describe('a project', () => {
  it('has no member before one is added', async () => {
    expect(await at.ctl('project', 'members', 'apollo')).toEqual({
      code: 0,
      out: 'Nobody is a member of the project apollo.\n',
      err: '',
    });
    expect(await at.json('project', 'members', 'apollo')).toEqual([]);
  });
  it('gets a member once, known or not, and loses it once; each change is recorded with its author', async () => {
    const add = (...words: string[]) => at.ctl('project', 'add', 'apollo', 'ada', ...words);
    expect((await add('--author', 'olga')).out).toBe('ada is now a member of the project apollo.\n');
    expect((await add()).out).toBe('ada is a member of the project apollo already; nothing changed.\n');
    expect(await at.json('project', 'add', 'apollo', 'Грейс')).toEqual({
      project: 'apollo',
      subject: 'Грейс',
      member: true,
      changed: true,
    });
    expect(await at.json('project', 'members', 'apollo')).toMatchObject([
      { project: 'apollo', subject: 'ada', addedBy: 'olga', addedAt: expect.stringMatching(/Z$/) as string },
      { subject: 'Грейс', addedBy: 'tester@machine' },
    ]);
    expect(await at.json('project', 'members', 'zeus')).toEqual([]);
    const remove = () => at.ctl('project', 'remove', 'apollo', 'ada');
    expect((await remove()).out).toBe('ada is no longer a member of the project apollo.\n');
    expect(await remove()).toEqual({
      code: 1,
      out: '',
      err: 'gatewayctl: ada is not a member of the project apollo.\n',
    });
    expect(await acts()).toEqual([
      { action: 'member.add', author: 'olga', target: 'project:apollo/member:ada' },
      { action: 'member.add', author: 'tester@machine', target: 'project:apollo/member:Грейс' },
      { action: 'member.remove', author: 'tester@machine', target: 'project:apollo/member:ada' },
    ]);
  });
  it.each([['', 'ada'], ['apollo', ''], ['apollo', 'a\nb'], ['apollo']])('is not given %j', async (...words) => {
    expect((await at.ctl('project', 'add', ...words)).code).toBe(2);
  });
});
