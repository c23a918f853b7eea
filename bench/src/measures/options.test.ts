import { describe, expect, it } from 'vitest';
import { readComparison, readOptions } from './options.ts';

describe('the options of npm run bench', () => {
  it('measure everything, eight times, unless they say otherwise', () => {
    expect(readOptions([])).toMatchObject({ json: null, rounds: 8, milliseconds: 3000, onMemory: true });
  });

  it('take less of everything for a quick run, and nothing in memory', () => {
    const [quick, whole] = [readOptions(['--quick']), readOptions([])];
    expect(quick.rounds).toBeLessThan(whole.rounds);
    expect(quick.milliseconds).toBeLessThan(whole.milliseconds);
    expect(quick.grownRows).toBeLessThan(whole.grownRows);
    expect(quick.onMemory).toBe(false);
  });

  it('name the file of the ratios and the number of rounds, also of a quick run', () => {
    expect(readOptions(['--quick', '--rounds', '3', '--json', 'out.json'])).toMatchObject({
      rounds: 3,
      json: 'out.json',
      milliseconds: readOptions(['--quick']).milliseconds,
    });
  });

  it.each(['0', '-1', '1.5', 'many', '', 'NaN', 'Infinity'])('refuse %j rounds', (rounds) => {
    expect(() => readOptions([`--rounds=${rounds}`])).toThrow('--rounds takes a whole number from 1');
  });

  it.each([
    ['--slow', "Unknown option '--slow'"],
    ['--json', 'argument missing'],
    ['out.json', "Unexpected argument 'out.json'"],
    ['--quick=yes', 'does not take an argument'],
  ])('refuse what they do not know: %s', (word, said) => {
    expect(() => readOptions([word])).toThrow(said);
  });
});

describe('the options of a comparison', () => {
  it('have the numbers of callers that the comparison brings, or others', () => {
    expect(readComparison([], '1,16,64')).toEqual({
      json: null,
      rounds: 8,
      milliseconds: 1500,
      warmUpMilliseconds: 10_000,
      callers: [1, 16, 64],
    });
    expect(readComparison(['--callers', '256'], '1,16')).toMatchObject({ callers: [256] });
    expect(
      readComparison(['--callers=2, 4', '--json', 'x', '--rounds', '1', '--milliseconds', '20', '--warm-up=5'], '1'),
    ).toEqual({
      json: 'x',
      rounds: 1,
      milliseconds: 20,
      warmUpMilliseconds: 5,
      callers: [2, 4],
    });
  });

  it.each([
    ['--callers', '1,many', 'callers'],
    ['--callers', '1,,16', 'callers'],
    ['--callers', '0', 'callers'],
    ['--milliseconds', 'soon', 'milliseconds'],
    ['--warm-up', '0', 'warm-up'],
    ['--rounds', '2.5', 'rounds'],
  ])('are refused before anything starts: %s %s', (option, value, name) => {
    expect(() => readComparison([option, value], '1')).toThrow(`--${name} takes a whole number from 1`);
  });
});
