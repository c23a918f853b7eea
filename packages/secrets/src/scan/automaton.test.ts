import { array, assert, constantFrom, property, string, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Automaton,
  automatonOf,
  buildAutomaton,
  CLASS_OF,
  isPackedFor,
  OUTPUT_CELL,
  packAutomaton,
} from './automaton.ts';

const ROOT = (automaton: Automaton): number => step(automaton, 0, 0);
const step = ({ next }: Automaton, state: number, byte: number): number =>
  next[state + (CLASS_OF[byte] as number)] as number;

/** Each end of a keyword in a text, as `position:keyword`, found by the automaton. */
function found(automaton: Automaton, text: string): string[] {
  let state = ROOT(automaton);
  const ends: string[] = [];
  for (const [at, byte] of Buffer.from(text, 'latin1').entries()) {
    state = step(automaton, state, byte);
    if (state === automaton.escape) state = ROOT(automaton);
    const index = automaton.next[state + OUTPUT_CELL] as number;
    const keywords = automaton.outputsOf(index);
    expect(state >= automaton.accept).toBe(keywords.length > 0);
    ends.push(...keywords.map((keyword) => `${at + 1}:${keyword}`));
  }
  return ends;
}
/** The same by looking at every position. */
const searched = (keywords: readonly string[], text: string): string[] =>
  Array.from(text, (_, at) => at + 1).flatMap((end) =>
    keywords.flatMap((keyword, index) =>
      text.slice(0, end).toLowerCase().endsWith(keyword.toLowerCase()) ? [`${end}:${index}`] : [],
    ),
  );

/** Few letters, so that keywords overlap, contain each other and begin alike. */
const keyword = array(constantFrom(...Array.from('abAB_-')), { minLength: 1, maxLength: 5 }).map((letters) =>
  letters.join(''),
);
const keywords = uniqueArray(keyword, { minLength: 1, maxLength: 8, selector: (text) => text.toLowerCase() });
const text = array(constantFrom(...Array.from('aabbAB_-x\\é')), { maxLength: 30 }).map((letters) => letters.join(''));

describe('the keywords in a text', () => {
  it('are found at every end, in any case, as a search finds them', () => {
    assert(
      property(keywords, text, (words, searchedText) => {
        const sorted = (ends: readonly string[]) => [...ends].sort();
        expect(sorted(found(buildAutomaton(words), searchedText))).toEqual(sorted(searched(words, searchedText)));
      }),
      { numRuns: 1000 },
    );
  });

  it('that end together are there from the longest to the shortest', () => {
    const automaton = buildAutomaton(['b', 'abab', 'bab', 'ab']);
    expect(found(automaton, 'abab').slice(-4)).toEqual(['4:1', '4:2', '4:3', '4:0']);
  });

  it('never continue over a backslash', () => {
    expect(found(buildAutomaton(['ab']), 'a\\b')).toEqual([]);
    expect(found(buildAutomaton(['ab']), '\\ab')).toEqual(['3:0']);
  });

  it.each(['a\\b', 'é', 'a\0', '\n', '`'])('are refused outside the alphabet: %j', (word) => {
    expect(() => buildAutomaton(['good', word])).toThrow(`keyword "${word}" leaves the alphabet`);
  });
});

describe('a state', () => {
  it('stands for the longest beginning of a keyword that the text ends with', () => {
    assert(
      property(keywords, text, (words, read) => {
        const automaton = buildAutomaton(words);
        let state = ROOT(automaton);
        let since = '';
        for (const letter of read) {
          state = step(automaton, state, letter.charCodeAt(0) & 0xff);
          since += letter;
          if (state === automaton.escape) [state, since] = [ROOT(automaton), ''];
          const ends = Array.from(since, (_, at) => since.slice(at).toLowerCase());
          const begins = (end: string): boolean => words.some((word) => word.toLowerCase().startsWith(end));
          const longest = ends.find(begins) ?? '';
          const { length, keywords: beginning } = automaton.prefixOf(state);
          expect(length).toBe(longest.length);
          expect(beginning).toEqual(
            longest === ''
              ? []
              : words.flatMap((word, index) => (word.toLowerCase().startsWith(longest) ? [index] : [])),
          );
          const shorter = ends.slice(ends.indexOf(longest) + 1).find(begins) ?? '';
          expect(automaton.prefixOf(automaton.failOf(state)).length).toBe(longest === '' ? 0 : shorter.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a packed automaton', () => {
  it('finds what the built one finds, also after it was written and read', () => {
    assert(
      property(keywords, text, (words, read) => {
        const packed = packAutomaton(words);
        const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
        const again = new Int32Array(Uint8Array.from(bytes).buffer);
        expect(found(automatonOf(again, words), read)).toEqual(found(buildAutomaton(words), read));
      }),
    );
  });

  it('is recognized by the number of keywords and characters', () => {
    const packed = packAutomaton(['ab', 'cd']);
    expect(isPackedFor(packed, ['xy', 'zw'])).toBe(true);
    for (const other of [['ab'], ['ab', 'c'], ['ab', 'cd', 'e'], ['abcd'], []])
      expect(isPackedFor(packed, other)).toBe(false);
    expect(isPackedFor(new Int32Array(0), ['ab'])).toBe(false);
  });
});

it('the alphabet has one class for both cases of a letter, and another for each other character', () => {
  assert(
    property(string({ minLength: 2, maxLength: 2, unit: 'grapheme-ascii' }), (pair) => {
      const [one = '', other = ''] = pair;
      const [first = 0, second = 0] = [one, other].map((letter) => CLASS_OF[letter.charCodeAt(0)] ?? 0);
      const isOne = first === second && first !== 0;
      expect(isOne).toBe(one.toLowerCase() === other.toLowerCase() && first !== 0);
    }),
    { numRuns: 2000 },
  );
});
