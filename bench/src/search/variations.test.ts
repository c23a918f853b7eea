import { array, assert, constantFrom, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from './questions.ts';
import { accent, foreignWords, join, mistype, unspaced, VARIATIONS, varied } from './variations.ts';

it('a slip is in one word, and another one for each number', () => {
  const typed = Array.from({ length: 5 }, (_, number) => mistype('how does a gateway start', number));
  expect(new Set(typed).size).toBe(5);
  for (const question of typed) {
    const changed = question.split(' ').filter((word) => !'how does a gateway start'.split(' ').includes(word));
    expect(changed).toHaveLength(1);
  }
  expect(mistype('how is it', 0)).toBe('how is it');
});

it('accents occur in plain words only', () => {
  expect(accent('see the gateway at /gateway/start.html, set GATEWAY_DIR')).toBe(
    'see the gátewáy at /gateway/start.html, set GATEWAY_DIR'.replace('gátewáy', 'gáteway'),
  );
});

it('words are joined that the corpus sets apart', () => {
  expect(join('revoke an agent session now', 'an agent session ends')).toBe('revoke an agentsession now');
  expect(join('revoke an agent session now', 'an agent of a session, and agentsession')).toBe(
    'revoke an agent session now',
  );
});

it('without spaces a word is always the same two characters', () => {
  const [one, other] = [unspaced('the gateway'), unspaced('gateway starts')];
  expect(one).toMatch(/^\p{Script=Han}{4}$/u);
  expect(one.slice(2)).toBe(other.slice(0, 2));
  expect(unspaced('# Title (/the-page)')).toMatch(/^# \p{Script=Han}{2} \(\/the-page\)$/u);
});

it('foreign words are not forms of words in the corpus', () => {
  const corpora = new Map([
    ['one', 'gateways acting starting'],
    ['other', 'gateway acted penguin'],
  ]);
  expect(foreignWords(corpora, 10).map(({ corpus, question }) => [corpus, question])).toEqual([
    ['one', 'penguin'],
    ['other', 'starting'],
  ]);
});

const WORD = constantFrom(
  'how',
  'does',
  'the',
  'gateway',
  'rotate',
  'keys',
  'an',
  'account',
  'GATEWAY_URL',
  '/v1/chat',
);
const SENTENCE = array(WORD, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));

describe('every way to ask otherwise', () => {
  it.each(VARIATIONS)('$name: is the same in every run', ({ ask, write }) => {
    assert(
      property(SENTENCE, nat(20), (question, number) => {
        expect(ask(question, number, question)).toBe(ask(question, number, question));
        expect(write(question)).toBe(write(question));
      }),
    );
  });

  it('leaves names of variables and addresses as they are', () => {
    for (const { ask } of VARIATIONS) expect(ask('GATEWAY_URL /v1/chat', 1, '')).toBe('GATEWAY_URL /v1/chat');
  });

  it('has a name of its own', () => {
    expect(new Set(VARIATIONS.map(({ name }) => name)).size).toBe(VARIATIONS.length);
  });
});

describe('a slip', () => {
  it('changes a question by one letter, or exchanges two', () => {
    assert(
      property(SENTENCE, nat(20), (question, number) => {
        const typed = mistype(question, number);
        expect(Math.abs(typed.length - question.length)).toBeLessThanOrEqual(1);
        expect(typed.split(' ')).toHaveLength(question.split(' ').length);
      }),
    );
  });

  it.each([
    [0, 'gtaeway'],
    [1, 'gaeway'],
    [2, 'gateeway'],
  ])('exchanges, leaves out or doubles a letter: %i, %s', (number, typed) => {
    expect(mistype('gateway', number)).toBe(typed);
  });
});

describe('questions that are varied', () => {
  const question = (parts: Partial<Question>): Question => ({
    id: 'q1',
    corpus: 'one',
    question: 'Where is the gateway?',
    page: '/start',
    section: 'Start the gateway',
    answerable: true,
    kind: 'howto',
    alt: ['/other'],
    ...parts,
  });
  const unspacedWay = VARIATIONS.find(({ name }) => name === 'without spaces');

  it('keep what answers them, and have the section as the corpus is written', () => {
    if (unspacedWay === undefined) throw new Error('there is no such way');
    const [asked] = varied([question({})], unspacedWay, new Map());
    expect(asked).toMatchObject({ id: 'q1', page: '/start', alt: ['/other'], answerable: true });
    expect(asked?.section).toBe(unspaced('Start the gateway'));
    expect(asked?.question).toBe(`${unspaced('gateway')}?`);
  });

  it('have no section where they had none', () => {
    if (unspacedWay === undefined) throw new Error('there is no such way');
    expect(varied([question({ section: null })], unspacedWay, new Map())[0]?.section).toBeNull();
  });
});

describe('words that are joined', () => {
  it('are not small words, which nobody joins', () => {
    expect(join('where is the gateway', 'here where is the gateway')).toBe('where is the gateway');
  });

  it('are the first such pair alone', () => {
    const corpus = 'an agent session and an account key';
    expect(join('agent session account key', corpus)).toBe('agentsession account key');
  });
});

it('foreign words are spread over all of them, and never more than twice as many as were asked for', () => {
  const words = Array.from({ length: 26 ** 2 }, (_, at) =>
    String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26)).repeat(3),
  );
  const found = foreignWords(
    new Map([
      ['one', 'gateway'],
      ['other', words.join(' ')],
    ]),
    50,
  ).filter(({ corpus }) => corpus === 'one');
  expect(found.length).toBeGreaterThanOrEqual(50);
  expect(found.length).toBeLessThan(100);
  const letters = found.map(({ question: [first = ''] }) => first);
  expect([letters.some((letter) => letter < 'e'), letters.some((letter) => letter > 'v')]).toEqual([true, true]);
});
