import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYaml } from './yaml-text.ts';

const faultsOf = (text: string, lines?: number) =>
  readYaml(text, lines).faults.map(({ line, column, message }) => `${line}:${column} ${message}`);

const TEXT = `gateway: https://gateway.example
models:
  - name: Coder # the one for code
    endpoint: demo
permissions: {allow: [Read, "Bash(npm *)"]}
`;

describe('a text of YAML', () => {
  it('is read, and JSON too', () => {
    expect(readYaml(TEXT)).toMatchObject({
      faults: [],
      data: {
        gateway: 'https://gateway.example',
        models: [{ name: 'Coder', endpoint: 'demo' }],
        permissions: { allow: ['Read', 'Bash(npm *)'] },
      },
    });
    expect(readYaml('{"a": [1, true, null, "x"]}').data).toEqual({ a: [1, true, null, 'x'] });
  });

  it('is YAML 1.2: yes, no and on are texts', () => {
    expect(readYaml('a: yes\nb: no\nc: on\nd: 010\n').data).toEqual({ a: 'yes', b: 'no', c: 'on', d: 10 });
  });

  it('may refer to a part a few times', () => {
    expect(readYaml('base: &b {x: 1}\none: *b\ntwo: *b\n').data).toEqual({
      base: { x: 1 },
      one: { x: 1 },
      two: { x: 1 },
    });
  });

  it.each(['', '\n', '# nothing\n'])('%j has no value', (text) => {
    expect(readYaml(text)).toMatchObject({ data: null, faults: [] });
  });
});

describe('a fault', () => {
  it('counts the lines before the text in its file', () => {
    expect(faultsOf('a: 1\na: 2\n', 4)[0]).toBe('6:1 A member is given twice.');
  });

  it('never quotes the text, which may contain a secret', () => {
    const { faults } = readYaml('password: "hunter2\nother: hunter2: x\n');
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain('hunter2');
  });

  it('says so in one sentence, and how to remove it, for any text', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const { line, column, message, fix } of readYaml(text).faults) {
          expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
          expect([message, fix]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]);
        }
      }),
    );
  });
});

describe('the place of a member', () => {
  const text = readYaml(TEXT, 10);

  it.each<[readonly PropertyKey[], string]>([
    [['gateway'], '11:10'],
    [['models', 0, 'name'], '13:11'],
    [['permissions', 'allow', 1], '15:29'],
    [[], '11:1'],
  ])('%j is %s', (path, place) => {
    const { line, column } = text.placeOf(path);
    expect(`${line}:${column}`).toBe(place);
  });

  it('that does not exist is the nearest one that does', () => {
    expect(text.placeOf(['models', 0, 'apiKey', 'x'])).toEqual(text.placeOf(['models', 0]));
    expect(text.placeOf(['nothing'])).toEqual(text.placeOf([]));
  });

  it('is the place of its name where that is wrong', () => {
    expect(text.placeOfName(['models', 0], 'endpoint')).toEqual({ line: 14, column: 5 });
    expect(text.placeOfName(['models', 0], 'absent')).toEqual(text.placeOf(['models', 0]));
    expect(text.placeOfName(['gateway'], 'absent')).toEqual(text.placeOf(['gateway']));
  });
});

it('every text among the values is found with its place, and no name', () => {
  const found = [...readYaml(TEXT).texts()].map(({ text, line, column }) => `${line}:${column} ${text}`);
  expect(found).toEqual(['1:10 https://gateway.example', '3:11 Coder', '4:15 demo', '5:23 Read', '5:29 Bash(npm *)']);
});
