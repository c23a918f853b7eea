import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_VARIABLE_BYTES, parseCommand } from './command.ts';
import { sentenceOf, statusOf } from './refusals.ts';

const BODY = {
  session: 'root',
  interpreteur: 'bash',
  arguments: ['-c', 'echo one'],
  variablesSupplementaires: { LEVEL: '7' },
  sansFluxDeSortie: true,
};
const sentence = (body: unknown) => {
  const parsed = parseCommand(body);
  if ('command' in parsed) return null;
  expect(statusOf(parsed.refused)).toBe(parsed.refused.code === 'command-variable-too-long' ? 413 : 400);
  return sentenceOf(parsed.refused);
};

describe('a command body', () => {
  it('becomes a command', () => {
    expect(parseCommand(BODY)).toEqual({
      command: {
        session: 'root',
        parentSession: null,
        interpreter: 'bash',
        arguments: ['-c', 'echo one'],
        variables: new Map([['LEVEL', '7']]),
        silent: true,
      },
    });
  });
  it('may name the session it descends from', () => {
    expect(parseCommand({ ...BODY, parentSession: 'above' })).toHaveProperty('command.parentSession', 'above');
    expect(parseCommand({ ...BODY, parentSession: null })).toHaveProperty('command.parentSession', null);
    for (const parentSession of [7, '', 'x'.repeat(301)]) {
      expect(sentence({ ...BODY, parentSession })).toBe('session must be a non-empty string.');
    }
    expect(sentence({ ...BODY, session: 'x'.repeat(300), parentSession: 'y'.repeat(300) })).toBeNull();
    expect(sentence({ ...BODY, session: 'x'.repeat(301), parentSession: 'above' })).not.toBeNull();
  });
  it('has a session whose name fits into an index', () => {
    expect(sentence({ ...BODY, session: 'x'.repeat(800) })).toBeNull();
    expect(sentence({ ...BODY, session: 'x'.repeat(801) })).toBe('session must be a non-empty string.');
  });
  it.each([undefined, null, 'yes', 1, false])('is not silent with sansFluxDeSortie %j', (sansFluxDeSortie) => {
    expect(parseCommand({ ...BODY, sansFluxDeSortie })).toHaveProperty('command.silent', false);
  });
  it.each([undefined, null, [], 'ls', 7, true])('must be an object: %j', (body) => {
    expect(sentence(body)).toBe('The request body must be a JSON object.');
  });
  it.each([undefined, '', 7, null, ['s'], {}, 'a\0b', '\udc00'])('needs a session: %j', (session) => {
    expect(sentence({ ...BODY, session })).toBe('session must be a non-empty string.');
  });
  it.each([undefined, '', 7, null, ['sh'], 'sh\0'])('needs an interpreter: %j', (interpreteur) => {
    expect(sentence({ ...BODY, interpreteur })).toBe('interpreteur must be a non-empty string.');
  });
  it.each([undefined, 'ls', { 0: 'ls' }, null, ['-c', 7], [['-c']], ['a\0b']])('needs arguments: %j', (words) => {
    expect(sentence({ ...BODY, arguments: words })).toBe('arguments must be an array of strings.');
  });
  it.each([undefined, null, [], 'A=1', 7])('needs variables: %j', (variablesSupplementaires) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe('variablesSupplementaires must be an object.');
  });
  it.each([
    ['LEVEL', { GOOD: 'yes', LEVEL: 7 }],
    ['LEVEL', { LEVEL: null }],
    ['OTHER', { OTHER: ['x'] }],
    ['$&', { '$&': 7 }],
    ['A=B', { 'A=B': 'c' }],
    ['', { '': 'c' }],
    ['NUL', { NUL: 'a\0' }],
  ])('needs every variable to be a string, and names %s', (key, variablesSupplementaires) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe(`variablesSupplementaires.${key} must be a string.`);
  });
  it.each([
    ['value in bytes', { LIST: 'é'.repeat(LONGEST_VARIABLE_BYTES / 2 - 1) }, 'LIST'],
    ['name', { ['N'.repeat(LONGEST_VARIABLE_BYTES)]: 'x' }, 'N'.repeat(LONGEST_VARIABLE_BYTES)],
  ])('refuses a variable that is too long by its %s', (_, variablesSupplementaires, key) => {
    expect(sentence({ ...BODY, variablesSupplementaires })).toBe(
      `variablesSupplementaires.${key} is longer than 65536 bytes. Write the value to a file.`,
    );
  });
  it('accepts a variable of the greatest length, and several of them', () => {
    const value = 'x'.repeat(LONGEST_VARIABLE_BYTES - 1);
    expect(sentence({ ...BODY, variablesSupplementaires: { A: value, B: value } })).toBeNull();
  });
  it('takes a variable of any name as a variable, never as a member', () => {
    const parsed = parseCommand(JSON.parse(JSON.stringify(BODY).replace('"LEVEL"', '"__proto__"')));
    expect(parsed).toHaveProperty('command.variables', new Map([['__proto__', '7']]));
  });
  it('inherits nothing: only members of the body itself count', () => {
    expect(sentence(JSON.parse(`{"__proto__": ${JSON.stringify(BODY)}}`))).toBe('session must be a non-empty string.');
  });
  it('parses or is refused with one of the sentences, for any JSON', () => {
    fc.assert(
      fc.property(fc.record(Object.fromEntries(Object.keys(BODY).map((name) => [name, fc.jsonValue()]))), (body) => {
        expect(sentence(body) ?? 'session must be').toMatch(
          /^(session|interpreteur|arguments|variablesSupplementaires|The request body)/,
        );
      }),
      { verbose: true },
    );
  });
});

describe('a command that is accepted', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
  const name = word.filter((text) => text !== '');

  it('has every word and variable as its caller wrote it', () => {
    const variables = fc.uniqueArray(
      fc.tuple(
        name.filter((text) => !text.includes('=')),
        word,
      ),
      { selector: ([key]) => key },
    );
    fc.assert(
      fc.property(name, name, fc.array(word), variables, (session, interpreteur, words, pairs) => {
        const given = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
        const body = { session, interpreteur, arguments: words, variablesSupplementaires: JSON.parse(`{${given}}`) };
        const parsed = parseCommand(body);
        expect(parsed).toMatchObject({
          command: { session, interpreter: interpreteur, arguments: words, silent: false },
        });
        expect('command' in parsed && Object.fromEntries(parsed.command.variables)).toEqual(Object.fromEntries(pairs));
      }),
    );
  });
});
