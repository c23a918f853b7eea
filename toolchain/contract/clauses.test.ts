import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AREAS, citationsOf, clausesOf, repeatedClauses, uncoveredClauses, unknownCitations } from './clauses.ts';

const name = tuple(constantFrom(...AREAS), integer({ min: 1, max: 99 })).map(([area, number]) => `${area}-${number}`);

describe('the clauses of a page', () => {
  it('are those at the beginnings of its paragraphs, in their order', () => {
    assert(
      property(array(name, { maxLength: 10 }), (names) => {
        const page = `# Title\n\nSee **relay-1** elsewhere.\n\n${names.map((one) => `**${one}** Says something about **log-9**.`).join('\n\n')}\n`;
        expect(clausesOf(page)).toEqual(names);
      }),
    );
  });

  it.each([
    '',
    'relay-1 Says.',
    ' **relay-1** Says.',
    '- **relay-1** Says.',
    '**Relay-1** Says.',
    '**relay-1 ** Says.',
    '**relay** Says.',
  ])('are none in %j', (page) => expect(clausesOf(page)).toEqual([]));
});

describe('the clauses that a comment cites', () => {
  it('are all of them, among any words and marks', () => {
    const between = constantFrom(' ', ', ', ' (', ') and ', '; ', '\n');
    assert(
      property(array(tuple(between, name), { maxLength: 6 }), (parts) => {
        expect(citationsOf(`${parts.flat().join('')} and more`)).toEqual(parts.map(([, one]) => one));
      }),
    );
  });

  it.each([
    'relay',
    'relay-',
    'relay-x',
    'my-relay-1',
    'a.relay-1',
    '/relay-1',
    'relay-1-2',
    'relay-1x',
    'area-1',
    'RELAY-1',
  ])('are none in %j', (comment) => expect(citationsOf(comment)).toEqual([]));
});

describe('clauses and citations', () => {
  it('have no fault where each clause is cited by a test, and only these are', () => {
    assert(
      property(array(name, { maxLength: 10 }), (given) => {
        const clauses = [...new Set(given)];
        const citations = new Map([
          ['a.test.ts', clauses],
          ['a.ts', clauses.slice(1)],
        ]);
        expect([
          repeatedClauses(clauses),
          unknownCitations({ clauses, citations }),
          uncoveredClauses({ clauses, citations }),
        ]).toEqual([[], [], []]);
      }),
    );
  });

  it('are each named with the files that cite what does not exist', () => {
    const citations = new Map([
      ['a.ts', ['relay-1', 'log-1']],
      ['b.test.tsx', ['log-1']],
    ]);
    expect(repeatedClauses(['relay-1', 'log-1', 'relay-1'])).toEqual(['relay-1']);
    expect(unknownCitations({ clauses: ['relay-1'], citations })).toEqual([
      'a.ts cites log-1',
      'b.test.tsx cites log-1',
    ]);
    expect(uncoveredClauses({ clauses: ['relay-1', 'log-1'], citations })).toEqual(['relay-1']);
  });
});
