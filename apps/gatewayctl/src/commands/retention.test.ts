import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Archives, openArchives } from '../testing/archives.ts';

let at: Archives;
beforeEach(async () => {
  at = await openArchives();
});
afterEach(() => at.close());

describe('retention', () => {
  it('shows the retention, sets it with an act, and restores the default', async () => {
    expect((await at.ctl('retention')).out).toMatch(
      /decisions +without end[\s\S]*results +3 whole months +the gateway/,
    );
    expect((await at.ctl('retention', 'usage', '13')).out).toBe('usage: kept 13 whole months.\n');
    expect((await at.ctl('retention', 'usage', '13')).out).toMatch(/nothing changed/);
    expect(await at.json('retention', 'results', '1')).toEqual({ log: 'results', months: 1, changed: true });
    expect((await at.ctl('retention', 'results', 'default')).out).toBe('results: kept 3 whole months.\n');
    const acts = await at.database.sql`
      select target, old_value, new_value from administration_actions where action = 'log.retention' order by sequence`;
    expect(acts).toMatchObject([
      { target: 'log:usage', old_value: null, new_value: '{"months":13}' },
      { target: 'log:results', old_value: null, new_value: '{"months":1}' },
      { target: 'log:results', old_value: '{"months":1}', new_value: null },
    ]);
  });

  it.each([[['nonsense', '1']], [['usage']], [['usage', '0']], [['usage', 'forever']]])('refuses %j', async (words) => {
    expect(await at.ctl('retention', ...words)).toMatchObject({ code: 2 });
  });
});
