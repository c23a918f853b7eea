import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVocabulary } from './build-index.ts';
import { stem } from './fold.ts';
import { wordsOf } from './words.ts';

function read(...texts: readonly string[]) {
  const vocabulary = createVocabulary();
  const terms: number[] = [];
  for (const text of texts) vocabulary.read(text, terms);
  return { vocabulary, terms };
}

describe('the terms of a text', () => {
  it('are numbered in the order in which they occur, alike in every form of a word', () => {
    const { vocabulary, terms } = read('Caching the caches, cached and CACHED. The end.');
    expect(terms).toEqual([0, 1, 0, 0, 2, 0, 1, 3]);
    expect(vocabulary.size()).toBe(4);
  });

  it('are those of an identifier and then of its parts', () => {
    const { vocabulary, terms } = read('GATEWAY_DOCS_DIR', 'docs');
    const named = ['gatewaydocsdir', 'gateway', 'docs', 'dir'].map((word) => vocabulary.find(stem(word)));
    expect(terms).toEqual([...named, vocabulary.find(stem('docs'))]);
    expect(named).not.toContain(undefined);
  });

  it('are found again by the words of a question, for any text with spaces', () => {
    const word = constantFrom('streamText', 'v1.2.3', 'résumé', 'user’s', 'HTTP/2', 'a_b', 'Ströme', 'x', '日本', '42');
    assert(
      property(array(word, { minLength: 1 }), (words) => {
        const { vocabulary } = read(words.join(' '));
        for (const { whole, pairs } of wordsOf(words.join(' '))) {
          const terms = pairs.length > 0 ? pairs : [stem(whole)];
          for (const term of terms) expect([term, vocabulary.find(term)]).not.toEqual([term, undefined]);
        }
      }),
    );
  });

  it('are the same each time a text is read', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const { vocabulary, terms } = read(text);
        const size = vocabulary.size();
        const again: number[] = [];
        vocabulary.read(text, again);
        expect([again, vocabulary.size()]).toEqual([terms, size]);
      }),
    );
  });

  it('are none of an empty text', () => {
    expect(read('', ' \n', '— … !').terms).toEqual([]);
  });
});

describe('a word without its accents', () => {
  it('finds the terms with them, and its own', () => {
    const { vocabulary } = read('résumé resume', 'Straße', 'plain');
    expect(vocabulary.alike('resume')).toEqual([vocabulary.find(stem('resume')), vocabulary.find(stem('résumé'))]);
    expect(vocabulary.alike('résumé')).toHaveLength(2);
    expect(vocabulary.alike('strasse')).toEqual([vocabulary.find(stem('straße'))]);
    expect(vocabulary.alike('unknown')).toEqual([]);
  });
});

describe('a character of a script without spaces', () => {
  it('finds the pairs that contain it', () => {
    const { vocabulary } = read('設定ファイル');
    const pairs = ['設定', '定フ'].map((pair) => vocabulary.find(pair));
    expect(vocabulary.around('定')).toEqual(pairs);
    expect(vocabulary.around('所')).toEqual([]);
  });
});

describe('the spellings of a corpus', () => {
  it('are its words in lower case as written, with the term of each, without pairs', () => {
    const { vocabulary } = read('Caches cached 設定 streamText');
    const spellings = new Map(vocabulary.spellings());
    expect([...spellings.keys()].sort()).toEqual(['cached', 'caches', 'stream', 'streamtext', 'text']);
    expect(spellings.get('cached')).toBe(spellings.get('caches'));
  });
});
