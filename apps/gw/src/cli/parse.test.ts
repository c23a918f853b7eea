import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrongUsage } from '../process/fault.ts';
import { isGiven, type Usage, valueOf, valuesOf } from './command/command.ts';
import { parseArguments } from './run.ts';

const USAGE: Usage = {
  name: 'gw test',
  purpose: 'Tests.',
  options: [
    { long: '--json', about: 'a switch' },
    { long: '--model', short: '-m', value: '<name>', about: 'a value' },
    { long: '--add-dir', value: '<folder>', repeatable: true, about: 'several values' },
  ],
  positionals: [
    { name: '<file>', about: 'a word' },
    { name: '[other]', about: 'another' },
  ],
  examples: [],
};
const PROMPT: Usage = { ...USAGE, name: 'gw', positionals: [{ name: '[prompt]', about: 'a prompt' }] };

function parsed(line: readonly string[], usage = USAGE) {
  const given = parseArguments(usage, line);
  if (given === null) throw new Error('help was asked for');
  return given;
}
function refused(line: readonly string[], usage = USAGE): string {
  try {
    parseArguments(usage, line);
  } catch (error) {
    if (error instanceof WrongUsage) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a command line', () => {
  it.each([
    [['f', '--model', 'a'], [{ name: '--model', value: 'a' }], ['f']],
    [['--model=a', 'f'], [{ name: '--model', value: 'a' }], ['f']],
    [['-m', 'a', 'f'], [{ name: '--model', value: 'a' }], ['f']],
    [['--model=a=b', 'f'], [{ name: '--model', value: 'a=b' }], ['f']],
    [['--model', '-x', 'f'], [{ name: '--model', value: '-x' }], ['f']],
    [['--json', 'f'], [{ name: '--json', value: null }], ['f']],
    [['f', '--', '--json'], [], ['f', '--json']],
    [['--', '-'], [], ['-']],
    [['-', 'x'], [], ['-', 'x']],
    [['f', ''], [], ['f', '']],
  ])('%j is taken apart', (line, options, positionals) => {
    expect(parsed(line)).toEqual({ options, positionals });
  });

  it('has the values of an option by its name', () => {
    const given = parsed(['f', '--add-dir', 'a', '-m', 'b', '--add-dir=c', '--json']);
    expect([valuesOf(given, '--add-dir'), valueOf(given, '--model'), isGiven(given, '--json')]).toEqual([
      ['a', 'c'],
      'b',
      true,
    ]);
    expect([valuesOf(given, '--none'), valueOf(given, '--none'), isGiven(given, '--none')]).toEqual([[], null, false]);
  });

  it('asks for help wherever the word for it is, also after too many words', () => {
    for (const line of [['-h'], ['--help'], ['f', '--json', '-h'], ['a', 'b', 'c', '--help']]) {
      expect(parseArguments(USAGE, line)).toBeNull();
    }
    expect(parsed(['f', '--', '--help']).positionals).toEqual(['f', '--help']);
  });

  it.each([
    [['f', '--nonsense'], '--nonsense is not an option of gw test. Run gw test --help for its options.'],
    [['f', '--Model', 'x'], '--Model is not an option of gw test. Did you mean --model?'],
    [['f', '--adddir', 'x'], '--adddir is not an option of gw test. Did you mean --add-dir?'],
    [['f', '--mode', 'x'], '--mode is not an option of gw test. Did you mean --model?'],
    [['f', '--modle', 'x'], '--modle is not an option of gw test. Did you mean --model?'],
    [['f', '-x'], '-x is not an option of gw test. Run gw test --help for its options.'],
    [['f', '-m=a'], '-m=a is not an option of gw test. Run gw test --help for its options.'],
    [['f', '--json=yes'], '--json takes no value.'],
    [['f', '--model'], '--model needs a value: --model <name>.'],
    [['f', '-m', '--json'], '--model needs a value: --model <name>.'],
    [['f', '--model', ''], '--model must not be blank: --model <name>.'],
    [['f', '--model= '], '--model must not be blank: --model <name>.'],
    [['f', '-m', 'a', '--model=b'], '--model is given twice. Keep one of them.'],
    [[], 'gw test needs <file>. Run gw test --help.'],
    [['a', 'b', 'c d'], 'gw test takes 2 arguments; "c d" is one too many.'],
  ])('%j is refused with what to change', (line, message) => {
    expect(refused(line)).toBe(message);
  });

  it('with a prompt of several words asks for quotes, and one without words takes none', () => {
    expect(refused(['write', 'a test'], PROMPT)).toBe(
      'gw takes one argument; "a test" is one too many. Put the prompt into quotes.',
    );
    const { positionals: _, ...none } = USAGE;
    expect(refused(['x'], none)).toBe('gw test takes only options; "x" is one too many.');
  });

  it('is read or refused in one sentence, for any words', () => {
    const word = constantFrom(
      '--json',
      '--model',
      '-m',
      '--add-dir',
      '--model=x',
      '--',
      '-',
      '',
      'f',
      '--no',
      '-h',
      '=',
      '--=',
    );
    assert(
      property(array(word, { maxLength: 6 }), string({ maxLength: 3 }), (line, more) => {
        const message = refused([...line, more]);
        expect(message).toMatch(/^(?:accepted|[^\n]+[.?])$/);
        expect(message).not.toContain('undefined');
      }),
      { numRuns: 1000 },
    );
  });

  it('gives every word and value back, for any texts', () => {
    const text = string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((one) => one.trim() !== '');
    assert(
      property(text, text, text, (file, model, folder) => {
        const given = parsed([`--model=${model}`, `--add-dir=${folder}`, '--', file]);
        expect([valueOf(given, '--model'), valuesOf(given, '--add-dir'), given.positionals]).toEqual([
          model,
          [folder],
          [file],
        ]);
      }),
    );
  });
});
