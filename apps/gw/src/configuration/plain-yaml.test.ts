import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readPlainYaml } from '../trust/sources.ts';
import { readYaml } from './yaml-text.ts';

/** What both readers say of a text that is plain. */
function expectSame(text: string): void {
  const plain = readPlainYaml(text);
  if (plain === null) return;
  const { data, faults, texts } = readYaml(text);
  expect({ text, faults, data: plain.data, texts: plain.texts }).toEqual({
    text,
    faults: [],
    data,
    texts: [...texts()],
  });
}

describe('plain YAML', () => {
  it('is what configurations consist of', () => {
    const text = `# Mine
name: Mine
version: 1.0.0
gateway: https://gateway.example

models:
  - name: "Coder"
    endpoint: demo
    apiKey: \${{ env.GATEWAY_KEY }}
    contextLength: 32000
    temperature: 0.2
    images: false
  - name: 'Other one'
    apiBase: http://localhost:11434/v1
rules:
- Answer in English (always), please.
- Be brief
permissions:
  allow:
    - Bash(npm run *)
`;
    expect(readPlainYaml(text)?.data).toMatchObject({ name: 'Mine', models: [{ contextLength: 32000 }, {}] });
    expectSame(text);
  });

  it.each([
    ['nothing', ''],
    ['a comment alone', '# a\n'],
    ['a comment behind a value', 'a: b # c\n'],
    ['a value on several lines', 'a: b\n  c\n'],
    ['a value on several lines that looks like a member', 'a: b\n  c: d\n'],
    ['a member twice', 'a: b\na: c\n'],
    ['no value', 'a:\nb: c\n'],
    ['a null', 'a: null\n'],
    ['a word that other readers take for a truth', 'a: yes\n'],
    ['a number in another notation', 'a: 0x10\n'],
    ['a flow mapping', 'a: {b: c}\n'],
    ['a flow sequence', 'a: [b]\n'],
    ['an anchor', 'a: &b c\n'],
    ['a reference', 'a: *b\n'],
    ['a tag', 'a: !b c\n'],
    ['a block scalar', 'a: |\n  b\n'],
    ['an escape', 'a: "b\\n"\n'],
    ['a quote within', "a: 'b''c'\n"],
    ['a colon within', 'a: b: c\n'],
    ['a tab', 'a:\tb\n'],
    ['a carriage return', 'a: b\r\n'],
    ['a letter beyond ASCII', 'a: ü\n'],
    ['a document marker', '---\na: b\n'],
    ['a wrong indentation', 'a:\n    b: c\n  d: e\n'],
    ['an item alone in its line', 'a:\n  -\n    b: c\n'],
  ])('%s is left to the library', (_, text) => {
    expect(readPlainYaml(text)).toBeNull();
  });
});

const word = fc.constantFrom(
  'a',
  'name',
  'b-c',
  'https://x.example/v1',
  '${{ env.KEY }}',
  'Bash(git *)',
  'two words',
  '1.0.0',
  'x: y',
  '7',
  '',
);
const value = fc.oneof(
  word,
  fc.string({ maxLength: 6 }),
  fc.nat(),
  fc.boolean(),
  fc.double({ min: 0, max: 9, noNaN: true }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    value,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'models', 'b', 'true', 'c_d'), tie('tree'), { maxKeys: 3 }),
  ),
}));

it('is read as the library reads it, for any text', () => {
  expect.hasAssertions();
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'models', 'b'), tree), (data) => expectSame(stringify(data))),
  );
  const line = fc.tuple(
    fc.constantFrom('', '  ', '    ', '- ', '  - ', '- - '),
    fc.constantFrom('a: ', 'b:', 'c: ', '', '# ', "'d': "),
    fc.constantFrom('x', '1', 'true', "'q'", '"q"', 'x y', 'x #y', '- z', 'k: v', '', '~', '.5', '01', '1e3'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) =>
      expectSame(lines.map((one) => `${one.join('')}\n`).join('')),
    ),
    { numRuns: 3000 },
  );
});
