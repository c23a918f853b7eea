import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectVariables } from './environment.ts';
import { parseOptions } from './options.ts';

const FOLDER = '/home/somebody';
const word = constantFrom(
  '--profile',
  'serverless',
  'on-premise',
  '--engine',
  'http://localhost:1',
  '--model',
  'm',
  '--engine-key-env',
  'KEY',
  '--ephemeral',
  '--json',
  '--bare',
  '--port',
  '--console-port',
  '--database-port',
  '6001',
  '0',
  '70000',
  '--data',
  '',
  'folder',
  '--env',
  'A=b',
  'A',
  '--docs',
  '--help',
  '--',
  '-x',
  'é',
);

describe('the words after npm start', () => {
  it('are options, help, or refused in one line with exit code 2, for any words', () => {
    assert(
      property(array(word, { maxLength: 6 }), string(), (words, more) => {
        for (const given of [words, [...words, more]]) {
          const parsed = parseOptions(given, FOLDER);
          const { exitCode, text } = 'options' in parsed ? { exitCode: 0, text: 'Usage: \n' } : parsed;
          expect(text).toMatch(
            exitCode === 0 ? /^Usage: / : /^error: [^\n]+\(npm start -- --help lists the options\)\n$/,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it('that are accepted name folders by whole paths, and ports that can be opened', () => {
    assert(
      property(array(word, { maxLength: 6 }), (words) => {
        const parsed = parseOptions(words, FOLDER);
        if (!('options' in parsed)) return;
        const { data, docs, ports, engine } = parsed.options;
        for (const path of [data, docs]) expect(path === null || path.startsWith('/')).toBe(true);
        const given = Object.values(ports);
        expect(given.every((port) => Number.isInteger(port) && port >= 0 && port <= 65_535)).toBe(true);
        const fixed = given.filter((port) => port !== 0);
        expect(new Set(fixed).size).toBe(fixed.length);
        expect(engine === null || engine.model !== '').toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [['--env', 'A=1', '--env', 'B=x=y', '--env', 'A=2'], { A: '2', B: 'x=y' }],
    [['--env', 'A='], { A: '' }],
    [['--env', 'A=line\nbreak'], { A: 'line\nbreak' }],
  ])('%j set variables of the gateway', (words, variables) => {
    const parsed = parseOptions(words, FOLDER);
    expect('options' in parsed && parsed.options.gatewayEnvironment).toEqual(variables);
  });

  it.each(['=x', '1A=x', 'A B=x', 'A'])('--env %s is refused', (assignment) => {
    expect(parseOptions(['--env', assignment], FOLDER)).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining('It has the form NAME=VALUE.'),
    });
  });
});

describe('variables of the shell', () => {
  it('reach the gateway only if they are keys of engines or proxies', () => {
    const environment = {
      OPENAI_API_KEY: 'k1',
      ENGINE_KEY: 'k2',
      MY_ENGINE_KEY: 'k3',
      ADMIN_API_KEY: 'no',
      API_KEY_FILE: 'no',
      DATABASE_URL: 'no',
      EMPTY_API_KEY: '',
      https_proxy: 'http://proxy:1',
    };
    expect(selectVariables(environment)).toEqual({
      OPENAI_API_KEY: 'k1',
      ENGINE_KEY: 'k2',
      MY_ENGINE_KEY: 'k3',
      https_proxy: 'http://proxy:1',
      NO_PROXY: '127.0.0.1,localhost,::1',
    });
  });

  it('never send a call to this machine through a proxy, whatever is excepted besides', () => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      expect(selectVariables({ HTTP_PROXY: 'http://proxy:1', [name]: 'intranet' })['NO_PROXY']).toBe(
        'intranet,127.0.0.1,localhost,::1',
      );
    }
    expect(selectVariables({ NO_PROXY: 'intranet' })).toEqual({});
  });
});
