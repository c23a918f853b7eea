import { describe, expect, it } from 'vitest';
import { atOnce } from '../corpus/sliced.ts';
import { splitCorpus } from '../corpus/split.ts';
import { corpusOf, FILLER, indexOf, type Pages } from '../testing/corpus.ts';
import { buildIndex, type SearchIndex } from './build-index.ts';
import { readQuestion, stopTermsIn } from './question.ts';
import { coverageOf, isAnswered, rank } from './rank.ts';

function titlesFor(pages: Pages, question: string, most = 5): string[] {
  const index = indexOf({ ...pages, ...FILLER });
  return rank(index, readQuestion(index, question), most).map(({ passage }) => {
    const found = index.passages[passage];
    return [index.pages[found?.page ?? 0]?.title, ...(found?.headings ?? [])].join(' > ');
  });
}

/** @param keywords by the title of their page */
function indexWith(pages: Pages, keywords: Readonly<Record<string, string>>): SearchIndex {
  const split = atOnce(splitCorpus(corpusOf({ ...pages, ...FILLER })));
  return atOnce(buildIndex(split.map((page) => ({ ...page, keywords: keywords[page.title] ?? '' }))));
}

/** Title of the first page found. */
function firstOf(pages: Pages, keywords: Readonly<Record<string, string>>, question: string): string | undefined {
  const index = indexWith(pages, keywords);
  const [first] = rank(index, readQuestion(index, question), 1, stopTermsIn(index, question));
  return index.pages[index.passages[first?.passage ?? 0]?.page ?? 0]?.title;
}

describe('the first result', () => {
  it('a page that is about the word, before one that mentions it', () => {
    const pages = {
      Mascots: `${'Many products have an animal in their pictures. '.repeat(5)}One of them is a quokka.`,
      'The quokka': 'It smiles. A quokka is small.',
    };
    expect(titlesFor(pages, 'quokka')[0]).toBe('The quokka');
  });
  it('a section with the term in its heading, before another of the same page', () => {
    const pages = { Licences: 'About seats.\n\n## Buying\n\nOne seat.\n\n## When seats run out\n\nAsk for more.' };
    expect(titlesFor(pages, 'what if the seats run out')[0]).toBe('Licences > When seats run out');
  });
  it('a passage in prose, before one in code', () => {
    const pages = { One: '```\nlighthouse\n```\n\nCode.', Two: 'The lighthouse is tall.' };
    expect(titlesFor(pages, 'lighthouse')[0]).toBe('Two');
  });
  it('a title that the question contains in full, before one that it contains in half', () => {
    const pages = { 'Harbour tides': 'About it.', Harbour: 'About it.' };
    expect(titlesFor(pages, 'harbour')[0]).toBe('Harbour');
    expect(titlesFor(pages, 'tides of the harbour')[0]).toBe('Harbour tides');
  });
  it('a title that the question contains but for its stop words', () => {
    const pages = { 'Harbour night': 'About it.', 'Within our harbour': 'About it.' };
    expect(titlesFor(pages, 'harbour')[0]).toBe('Within our harbour');
  });
  it.each([
    [
      'a keyword that the question contains in full, before keywords that contain its words apart',
      'who can lend me a boat',
      { One: 'lend a ladder, weather of a boat', Two: 'weather of a ladder, lend a boat' },
    ],
    [
      'a keyword with the stop words of the question, before one without them',
      'how long is the boat kept',
      { One: 'boat', Two: 'how long is a boat kept' },
    ],
    [
      'two keywords of the question, before one with one of them',
      'lend or hire a boat',
      { One: 'lend a boat, hire a ladder', Two: 'lend a boat, hire a boat, ladder' },
    ],
    [
      'the word alone as a keyword, before one with a synonym beside it',
      'backup',
      { One: 'backup restore', Two: 'backup, zebra restore' },
    ],
  ])('a page with %s', (_, question, keywords) => {
    expect(firstOf({ One: 'Text.', Two: 'Text.' }, keywords, question)).toBe('Two');
  });
  it('a page with a keyword that is the whole question, before one with half of it in its title and all in its text', () => {
    const pages = { Boats: 'Lend. To lend one.', Two: 'Text.' };
    expect(firstOf(pages, { Two: 'lend a boat' }, 'lend a boat')).toBe('Two');
  });
  it('a page with keywords by the heading of a section as by a keyword, unless another page has the same', () => {
    const lent = `Text.\n\n## Lend a boat\n\n${'Something else. '.repeat(30)}`;
    const first = (other: string, keywords: string): string | undefined =>
      firstOf(
        { Boats: 'Lend. To lend one.', Two: lent, Three: other },
        { Two: keywords, Three: 'zebra' },
        'lend a boat',
      );
    expect([first('Text.', 'zebra'), first('Text.', ''), first(lent, 'zebra')]).toEqual(['Two', 'Boats', 'Boats']);
  });
  it('a page about one thing, only if the question names it', () => {
    const pages = { Ferry: 'How to lend a boat.', Ship: 'How to lend a boat.' };
    const split = atOnce(splitCorpus(corpusOf({ ...pages, ...FILLER })));
    const index = atOnce(
      buildIndex(split.map((page) => (page.title === 'Ferry' ? { ...page, names: 'steamer' } : page))),
    );
    const first = (question: string): string | undefined => {
      const [found] = rank(index, readQuestion(index, question), 1);
      return index.pages[index.passages[found?.passage ?? 0]?.page ?? 0]?.title;
    };
    expect([first('lend a boat'), first('lend a boat on the steamer')]).toEqual(['Ship', 'Ferry']);
  });
  it('no page by a keyword that shares only stop words with the question', () => {
    const pages = { One: 'The turbine.', Two: 'The turbine.' };
    expect(firstOf(pages, { Two: 'how long is it' }, 'how long is the turbine')).toBe('One');
  });
  it('the rarer word decides', () => {
    const pages = { One: 'A turbine of the service.', Two: 'A service of the service.' };
    expect(titlesFor(pages, 'turbine service')[0]).toBe('One');
  });
});

describe('what is found', () => {
  it('other forms of a word', () => {
    expect(titlesFor({ Caches: 'How answers are cached.' }, 'caching')).toEqual(['Caches']);
  });
  it('an identifier by itself, by its parts and by their sum', () => {
    const pages = { Streams: 'Call streamText to begin.' };
    for (const question of ['streamText', 'stream', 'stream text', 'streamtext']) {
      expect(titlesFor(pages, question)).toEqual(['Streams']);
    }
  });
  it('two words that the corpus writes as one', () => {
    expect(titlesFor({ Sockets: 'A websocket stays open.' }, 'web sockets')[0]).toBe('Sockets');
  });
  it('a synonym', () => {
    expect(titlesFor({ Images: 'How to send an image.' }, 'picture')).toEqual(['Images']);
    expect(titlesFor({ Authentication: 'How to authenticate.' }, 'how do I log in')[0]).toBe('Authentication');
  });
  it('nothing for stop words alone and for words missing from the corpus', () => {
    expect(titlesFor({}, 'how is it with the')).toEqual([]);
    expect(titlesFor({}, 'zeppelin mortgage')).toEqual([]);
  });
});

it('no page fills the list alone where others fit nearly as well', () => {
  const sections = Array.from({ length: 6 }, (_, number) => `## Part ${number}\n\nThe turbine turns.`).join('\n\n');
  const found = titlesFor({ 'Big page': sections, 'Small page': 'The turbine turns.' }, 'turbine turns', 3);
  expect(found).toContain('Small page');
});

it('scores never rise, and the requested number of passages is returned', () => {
  const index = indexOf(FILLER);
  const ranked = rank(index, readQuestion(index, 'setting queue drains'), 20);
  expect(ranked).toHaveLength(20);
  expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).sort((one, other) => other - one));
  expect(rank(index, readQuestion(index, 'setting'), 3)).toHaveLength(3);
});

const PAGES: Pages = {
  'The turbine': 'The turbine drives the pump of the harbour.\n\n## Repair\n\nHow to repair a turbine blade.',
  Images: 'How to send an image to the harbour.',
};
const plain = indexOf({ ...FILLER, ...PAGES });

function ask(question: string, index = plain) {
  const asked = readQuestion(index, question);
  const ranked = rank(index, asked, 5);
  const first = ranked[0];
  return { answered: isAnswered(index, asked, ranked), coverage: first ? coverageOf(index, asked, first.passage) : 0 };
}

describe('a question is answered', () => {
  it.each([
    'turbine',
    'How do I repair a turbine blade?',
    'turbine pump harbour',
    'send an image',
    'which setting drains a queue',
    'what does turbine mean, and is repair supported',
    'repair the turbine blade of a zeppelin',
    'turbine blade setup',
    'repair the turbine blade for 5000 harbour pumps after 6pm, with version 22.04',
    'an awful mistake: is there an easy way to repair a turbine blade afterwards?',
  ])('%s', (question) => {
    expect(ask(question).answered).toBe(true);
  });
});

describe('a question is not answered', () => {
  it.each([
    'zeppelin',
    'zeppelin mortgage',
    'how does the penguin on a glacier sing',
    'repair a zeppelin',
    'turbine 418',
    'repair a turbine with a zeppelin and a mortgage',
    'turbine of a zeppelin harbour image',
    'an awful zeppelin, is there an easy way to repair it?',
    'weird and awful',
    'the of and',
    "' OR 1=1 --",
    '',
  ])('%s', (question) => {
    expect(ask(question).answered).toBe(false);
  });
});

it('a question of which a page covers a part is answered, but not where pages have keywords', () => {
  const withKeywords = indexWith(PAGES, { Images: 'zebra' });
  const answers = ['pump blade image', 'turbine blade'].map((question) => [
    ask(question).answered,
    ask(question, withKeywords).answered,
  ]);
  expect(answers).toEqual([
    [true, false],
    [true, true],
  ]);
});

describe('coverage', () => {
  it('is 1 when the passage contains all terms', () => {
    expect(ask('turbine blade').coverage).toBe(1);
  });
  it('is less for terms only on the page, and for synonyms', () => {
    expect(ask('harbour turbine blade').coverage).toBeGreaterThan(0.9);
    expect(ask('harbour turbine blade').coverage).toBeLessThan(1);
    expect(ask('tell about the harbour').coverage).toBe(1);
  });
  it('is low for a word missing from the corpus, even with a synonym', () => {
    expect(ask('picture').coverage).toBeCloseTo(0.21);
  });
  it('is not less for a plain word, unless the question is made of plain words alone', () => {
    expect(ask('awful harbour turbine').coverage).toBe(ask('harbour turbine').coverage);
    expect(ask('awful').coverage).toBe(0);
  });
  it('falls most for a word missing from the corpus', () => {
    expect(ask('turbine zeppelin').coverage).toBeLessThan(0.5);
    expect(ask('turbine zeppelin').coverage).toBeGreaterThan(0);
  });
  it('is 0 for a question without words', () => {
    expect(ask('the of').coverage).toBe(0);
  });
});
