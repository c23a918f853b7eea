import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { parseReference } from './reference.ts';

/** Faults, each as `line:column path says`. */
function faultsOf(text: string): readonly string[] {
  return readConfiguration(text).faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path?.join('.') ?? '-'} ${message}`,
  );
}

describe('a reference', () => {
  it.each(['${{env.A}}', '${{ env.A }}', 'Bearer ${{ env.A }} x', '${{\tenv.A\t}}'])('%j names a variable', (text) => {
    const { references, faults } = readConfiguration(`name: ${JSON.stringify(text)}\n`);
    expect(references.map(({ name }) => name)).toEqual(['A']);
    expect(faults).toEqual([]);
  });

  it.each(['${{ secrets.A }}', '${{ env.A-B }}', '${{ env.1A }}', '${{ A }}', '${{ env.A', '${{}}'])(
    '%j is none that is known',
    (text) => {
      expect(faultsOf(`name: x\nversion: ${JSON.stringify(text)}\n`)).toEqual([
        '2:10 - A reference is written in a form that is not known.',
      ]);
    },
  );

  it('in the name of a member is none', () => {
    expect(readConfiguration('"${{ env.A }}": 1\n').references).toEqual([]);
  });

  it.each([
    ['${{ env.KEY }}', { as: 'reference', variable: 'KEY' }],
    [' ${{env.KEY}} ', { as: 'reference', variable: 'KEY' }],
    ['Bearer ${{ env.KEY }}', { as: 'mixture' }],
    ['${{ env.A }}${{ env.B }}', { as: 'mixture' }],
    ['gwk_0', { as: 'literal' }],
    ['pa$$word', { as: 'literal' }],
    ['$KEY', { as: 'other notation' }],
    ['${KEY}', { as: 'other notation' }],
    ['%KEY%', { as: 'other notation' }],
    ['{{ KEY }}', { as: 'other notation' }],
    ['${{ secrets.KEY }}', { as: 'other notation' }],
  ])('a key that is given as %j', (text, given) => {
    expect(parseReference(text)).toEqual(given);
  });
});

describe('an endpoint that is a name', () => {
  const bare = 'models: [{name: a, endpoint: demo}]\n';
  it.each([
    ['with a gateway in the file', `gateway: https://gateway.example\n${bare}`, false],
    ['with GATEWAY_URL', bare, true],
  ])('is sound %s', (_, text, hasGateway) => {
    expect(readConfiguration(text, hasGateway).faults).toEqual([]);
  });
});
