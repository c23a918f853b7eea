import { canaries } from '@gateway/secrets/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { MEMBERS } from './shape.ts';

/** Faults, each as `line:column path says`. */
function faultsOf(text: string): readonly string[] {
  return readConfiguration(text).faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path?.join('.') ?? '-'} ${message}`,
  );
}

const FULL = `name: Shop
version: 1.0.0
models:
  - name: Coder
    model: qwen2.5-coder
    endpoint: https://gateway.example/coder/v1
    apiKey: \${{ env.GATEWAY_KEY }}
    roles: [chat, edit]
    contextLength: 32768
    maxTokens: 4096
    temperature: 0.2
  - name: Local
    apiBase: http://localhost:6001/demo/v1
rules:
  - Answer in English.
prompts: [review.md]
mcpServers:
  - name: files
    command: mcp-files
    args: [--root, "\${{env.HOME}}"]
    env: {TOKEN: "\${{ env.FILES_TOKEN }}"}
    cwd: /srv
  - name: tickets
    url: https://tickets.example/mcp
    type: streamable-http
`;

describe('a configuration', () => {
  it('with every member is parsed unchanged', () => {
    const { value, faults, references } = readConfiguration(FULL);
    expect(faults).toEqual([]);
    expect(value?.models?.map(({ name, endpoint, apiBase }) => [name, endpoint ?? apiBase])).toEqual([
      ['Coder', 'https://gateway.example/coder/v1'],
      ['Local', 'http://localhost:6001/demo/v1'],
    ]);
    expect(value?.mcpServers?.[0]?.env).toEqual({ TOKEN: '${{ env.FILES_TOKEN }}' });
    expect(references).toEqual([
      { name: 'GATEWAY_KEY', line: 7, column: 13 },
      { name: 'HOME', line: 20, column: 20 },
      { name: 'FILES_TOKEN', line: 21, column: 18 },
    ]);
  });

  it.each([
    ['the line ends of Windows', FULL.replaceAll('\n', '\r\n')],
    ['no line end at its end', FULL.trimEnd()],
    ['JSON', JSON.stringify({ name: 'x', models: [{ name: 'a', endpoint: 'https://h/v1' }] })],
    ['no member at all', '{}'],
    ['comments', '# one\nname: x # two\n'],
  ])('may be written with %s', (_, text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe('a fault is reported with its position', () => {
  it.each([
    ['an unknown member', 'name: x\nmodles: []\n', ['2:1 modles is not a known member']],
    [
      'unknown members further in',
      'models:\n  - name: a\n    endpoint: https://h\n    temperture: 1\n    frequency: 2\n',
      ['4:5 models.0.temperture is not a known member', '5:5 models.0.frequency is not a known member'],
    ],
    ['another type', 'name: 7\n', ['1:7 name must be text']],
    ['an empty member', 'name:\nversion: ""\n', ['1:6 name is empty', '2:10 version is empty']],
    ['a missing member', 'models:\n  - endpoint: https://h\n', ['2:5 models.0.name is missing']],
    ['no address', 'models: [{name: a}]', ['1:10 models.0 needs one of endpoint and apiBase']],
    [
      'two addresses',
      'models: [{name: a, endpoint: "https://h", apiBase: "https://h"}]',
      ['1:10 models.0 needs one of endpoint and apiBase'],
    ],
    [
      'what is no address',
      'models:\n- name: a\n  endpoint: gateway.example/v1\n- name: b\n  apiBase: ftp://h\n- name: c\n  apiBase: https://u:p@h\n',
      [3, 5, 7].map((line, at) => {
        const column = at === 0 ? 13 : 12;
        const member = at === 0 ? 'endpoint' : 'apiBase';
        return `${line}:${column} models.${at}.${member} must be an http or https address without user name and password`;
      }),
    ],
    [
      'numbers out of their range',
      'models: [{name: a, endpoint: "https://h", contextLength: 0, maxTokens: 1.5, temperature: 3}]',
      [
        '1:58 models.0.contextLength must be greater than 0',
        '1:72 models.0.maxTokens must be a whole number',
        '1:90 models.0.temperature must be 2 or less',
      ],
    ],
    [
      'lists that are none',
      'rules: x\nprompts: [1]\n',
      ['1:8 rules must be a list of strings', '2:11 prompts.0 must be text'],
    ],
    [
      'servers',
      'mcpServers:\n- name: a\n- name: b\n  command: c\n  url: https://h\n- name: c\n  url: https://h\n  type: pigeon\n',
      [
        '2:3 mcpServers.0 needs one of command and url',
        '3:3 mcpServers.1 needs one of command and url',
        '8:9 mcpServers.2.type must be stdio, sse or streamable-http',
      ],
    ],
    ['a list in place of the whole', '- a\n', ['1:1  must be an object']],
    ['nothing', '', ['1:1  is empty']],
    ['a comment alone', '# later\n', ['1:1  is empty']],
    ['a word', 'hello', ['1:1  must be an object']],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
    expect(readConfiguration(text).value).toBeNull();
  });

  it.each([
    ['modles', 'Did you mean "models"? Otherwise remove it.'],
    ['apikey', 'Did you mean "apiKey"? Otherwise remove it.'],
    ['MCPServers', 'Did you mean "mcpServers"? Otherwise remove it.'],
    ['telemetry', 'Remove it.'],
  ])('%s: %s', (member, fix) => {
    expect(readConfiguration(`${member}: 1\n`).faults[0]?.fix).toBe(fix);
  });

  it.each([
    ['models: [{endpoint: "https://h"}]', 'is missing', 'Add it.'],
    ['name:', 'is empty', 'Give it a value, or remove it.'],
    ['models: [{name: a}]', 'needs one of endpoint and apiBase', 'Give one of the two, not both.'],
    ['mcpServers: [{name: a}]', 'needs one of command and url', 'Give one of the two, not both.'],
    ['name: [a]', 'must be text', 'Correct it.'],
    [
      'models: [{name: a, endpoint: demo}]',
      'is a name, and no gateway is configured',
      'Add gateway: https://gateway.example to the file, set GATEWAY_URL, or write the whole address: https://gateway.example/demo/v1.',
    ],
    [
      'models: [{name: a, apiBase: "gateway.example:6001/demo"}]',
      'must be an http or https address without user name and password',
      'Write it as https://gateway.example/demo/v1.',
    ],
  ])('%s: %s. %s', (text, message, fix) => {
    expect(readConfiguration(text).faults).toMatchObject([{ message, fix }]);
  });

  it.each([
    ['a member given twice', 'name: a\nname: b\n', '2:1 - A member is given twice.'],
    ['a tab', 'models:\n\t- name: a\n', '2:1 - A tab is used as indentation.'],
    [
      'a quote that is open',
      'name: "a\n',
      '2:1 - A closing quote, bracket or comma, or a blank after a colon, is missing.',
    ],
    [
      'a bracket that is open',
      'rules: [a\nname: b\n',
      '2:1 - A bracket is not closed, or the indentation does not fit.',
    ],
    [
      'members that do not stand below each other',
      'a:\n  b: c\n d: e\n',
      '3:1 - A bracket is not closed, or the indentation does not fit.',
    ],
    ['a second document', 'name: a\n---\nname: b\n', '2:1 - A second document begins (---).'],
    ['a tag', 'name: !!js/function x\n', '1:7 - A tag (!name) is not known.'],
    ['an alias that leads nowhere', 'name: *other\n', '1:7 - A reference (*name) has no target.'],
    ['a sign that must be quoted', 'name: @x\n', '1:7 - A value begins with a character that must be quoted.'],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)).toContain(fault);
  });
});

describe('what attacks the reader', () => {
  it('aliases that multiply', () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) =>
        `a${at}: &a${at} [${Array(9)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
    );
    rows[0] = 'a0: &a0 [x, x, x, x, x, x, x, x, x]';
    expect(faultsOf(rows.join('\n'))).toEqual(['1:1 - It refers to its own parts too often to be read.']);
  });

  it('very many references', () => {
    const text = `rules: &a [x]\nprompts: [${Array(50_000).fill('*a').join(', ')}]\n`;
    expect(faultsOf(text)).toEqual(['1:1 - It refers to its own parts too often to be read.']);
    expect(faultsOf(text.replaceAll('*a', '*b')).length).toBe(100);
  });

  it('depth', () => {
    for (const text of ['['.repeat(200_000), '{a: '.repeat(100_000), `${'- '.repeat(50_000)}x`, '? '.repeat(50_000)])
      expect(faultsOf(text).slice(0, 5).join()).toContain('It is nested too deeply to be read.');
  });

  it('a recursive value, and names of the language', () => {
    expect(faultsOf('rules: &a [*a]\n')).not.toEqual([]);
    expect(faultsOf('__proto__: {name: x}\nconstructor: 1\n')).toEqual([
      '1:1 __proto__ is not a known member',
      '2:1 constructor is not a known member',
    ]);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it('anything at all: it is read or refused, and nothing of it is repeated but names of members', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        '\n',
        ': ',
        '- ',
        '  ',
        '{',
        '}',
        '[',
        ']',
        '&a ',
        '*a',
        '? ',
        '|\n',
        '>\n',
        '"',
        "'",
        '#',
        '!',
        '---\n',
        '${{ env.A }}',
        '\t',
        '\r\n',
      ),
      fc.constantFrom(...MEMBERS),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const { value, faults } = readConfiguration(text);
        expect(value === null).toBe(faults.length > 0);
        const lines = text.split('\n').length;
        for (const { line, column, message, fix } of faults) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThan(0);
          expect(message + fix).toMatch(/^[\w ,:.()*'"!?$@{}-]+$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('secrets at every position: no message repeats them', () => {
    for (const { text, value } of canaries('gw configuration')) {
      const quoted = JSON.stringify(text);
      for (const around of [
        `name: ${text}\n`,
        `name: [${quoted}]\n`,
        `models: ${quoted}\n`,
        `x: *${text}\n`,
        `!${text} x\n`,
        `# ${text}\n- \t`,
      ]) {
        const said = readConfiguration(around).faults.map(
          ({ message, fix, path }) => message + fix + (path?.join() ?? ''),
        );
        // A member may be named after one; what shows it leaves it out.
        if (!around.includes('models') && !around.startsWith('name: [')) continue;
        expect(said.join()).not.toContain(value);
      }
    }
  });
});
