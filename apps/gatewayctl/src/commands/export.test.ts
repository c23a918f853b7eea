import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Configuration, openConfiguration, WHOLE } from '../testing/configuration.ts';

let at: Configuration;
beforeEach(async () => {
  at = await openConfiguration();
});
afterEach(() => at.close());

describe('export', () => {
  it('of an empty instance names every section, and applying it changes nothing', async () => {
    const text = await at.exported();
    expect(text).toContain('version: 1');
    for (const section of [
      'providers',
      'models',
      'endpoints',
      'plans',
      'accounts',
      'roles',
      'projects',
      'organizations',
    ]) {
      expect(text).toContain(`${section}: []`);
    }
    expect(await at.ctl('apply', at.file(text))).toMatchObject({ code: 0, out: 'Nothing to change.\n' });
    expect(await at.acts()).toEqual([]);
  });

  it('applied to an empty instance gives the same export, twice', async () => {
    expect(await at.ctl('apply', at.file(WHOLE), '--author', 'pipeline')).toMatchObject({ code: 0, err: '' });
    const first = await at.exported();
    expect(first).toContain('CLOUD_KEY');
    const other = await openConfiguration();
    try {
      const copy = at.file(first, 'first.yaml');
      expect(await other.ctl('apply', copy, '--author', 'pipeline')).toMatchObject({ code: 0 });
      expect(await other.exported()).toBe(first);
      expect(await other.ctl('apply', copy, '--prune')).toMatchObject({ code: 0, out: 'Nothing to change.\n' });
      expect(await other.ctl('diff', copy, '--prune')).toMatchObject({ code: 0, out: 'No differences.\n' });
      expect(await other.exported()).toBe(first);
    } finally {
      await other.close();
    }
  });

  it('contains no key, as YAML and as JSON, and both can be read', async () => {
    await at.ctl('account', 'create', 'carol');
    const json = (await at.ctl('export', '--json')).out;
    for (const text of [await at.exported(), json]) {
      expect(text).toContain('carol');
      expect(text).not.toMatch(/gwk_|lastFour|digest/);
    }
    expect(await at.ctl('diff', at.file(json, 'configuration.json'))).toMatchObject({ code: 0 });
  });
});
