import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../process/environment.ts';
import { createLocalCommands, findRemovedVariables, ordinaryVariables, variablesOf } from './create-runner.ts';

describe('the variables of a command', () => {
  it.each([
    'GATEWAY_KEY',
    'GATEWAY_TOKEN',
    'GATEWAY_SERVE_TOKEN',
    'GATEWAY_LICENSE',
    'GATEWAY_LICENSE_FILE',
    'ADMIN_API_KEY',
    'ADMIN_PASS',
  ])('have no %s', (name) => {
    expect(variablesOf(new Map([[name, 'x']]), [])).not.toHaveProperty(name);
  });

  it.each(['GATEWAY_URL', 'GATEWAY_SUBJECT', 'MY_GATEWAY_KEY', 'ADMIN_API_KEYS', 'HTTPS_PROXY', 'PATH'])(
    'have %s',
    (name) => {
      expect(variablesOf(new Map([[name, 'x']]), [])).toHaveProperty(name, 'x');
    },
  );

  it('have the relative folders of PATH behind the others', () => {
    const PATH = ['node_modules/.bin', '/usr/bin', '.', '/bin'].join(':');
    expect(variablesOf(new Map([['PATH', PATH]]), [])).toHaveProperty('PATH', '/usr/bin:/bin:node_modules/.bin:.');
  });

  it('contain no key of a model, whatever its variable is called and whatever is around it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é', '"'), maxLength: 6 });
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'k'), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), fc.array(key, { maxLength: 3 }), (around, keys) => {
        const values = around.map(([before, behind], at) => `${before}${keys[at % (keys.length + 1)] ?? ''}${behind}`);
        const all = new Map(values.map((value, at) => [`V${at}`, value]));
        const given = variablesOf(all, keys);
        for (const value of Object.values(given)) for (const one of keys) expect(value).not.toContain(one);
        for (const [name, value] of all) expect(name in given, value).toBe(keys.every((one) => !value.includes(one)));
      }),
    );
  });

  it('let no program wait for a person, whatever the user has set', () => {
    const all = new Map([
      ['PAGER', 'less'],
      ['GIT_EDITOR', 'vi'],
      ['TERM', 'xterm-256color'],
    ]);
    expect(variablesOf(all, [])).toMatchObject({ PAGER: 'cat', GIT_EDITOR: 'true', TERM: 'dumb' });
  });

  it('are not thinned out by a key that is too short to be one', () => {
    expect(findRemovedVariables(new Map([['PATH', '/bin']]), ['', 'bin', 'b'])).toEqual([]);
  });
});

it('checks of a pull request get the digest of a commit, and no key without a form of its own', () => {
  const commit = ['GITHUB_SHA', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'] as const;
  const key = ['OTHER', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ4RtLm8Wa'] as const;
  expect([...ordinaryVariables(new Map([commit, key, ['PATH', '/bin']]))]).toEqual([commit, ['PATH', '/bin']]);
});

it('a command that somebody else starts gets no key either', async () => {
  const environment = {
    ...readEnvironment(),
    variables: new Map([
      ['PATH', ''],
      ['MINE', 'key-of-a-model'],
      ['GATEWAY_KEY', 'x'],
    ]),
  };
  const request = { command: 'env', session: 's', directory: '/', readOnly: false };
  const line = await createLocalCommands(environment, ['key-of-a-model']).lineOf(request);
  expect(line.slice(0, 5)).toEqual(['env', '-u', 'MINE', '-u', 'GATEWAY_KEY']);
  expect(line.slice(-2)).toEqual(['-c', 'env']);
  const [program] = await createLocalCommands({ ...environment, variables: new Map() }, []).lineOf(request);
  expect(program).toMatch(/^\/bin\/(?:ba)?sh$/);
});
