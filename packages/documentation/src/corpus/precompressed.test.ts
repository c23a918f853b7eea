import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archiveInMemory } from '../testing/archive.ts';
import { representationOf } from './pages.ts';

const archive = archiveInMemory({
  'both.js': 'plain',
  'both.js.br': 'brotli',
  'both.js.gz': 'gzip',
  'zipped.css': 'plain',
  'zipped.css.gz': 'gzip',
  'alone.html': 'plain',
});

function chosen(name: string, accepted: string | undefined) {
  const file = archive.files.get(name);
  if (file === undefined) throw new Error(`${name} is missing`);
  const { file: sent, coding, varies } = representationOf(archive, file, accepted);
  return [sent.name, coding, varies];
}

describe('the form of a file that is sent', () => {
  it.each([
    ['gzip, deflate, br', 'both.js.br', 'br'],
    ['gzip', 'both.js.gz', 'gzip'],
    ['  BR  ', 'both.js.br', 'br'],
    ['br;q=0,gzip;q=0', 'both.js', null],
    ['br ; q=0.5', 'both.js.br', 'br'],
    ['br; q=1', 'both.js.br', 'br'],
    ['gzip;q=0.001', 'both.js.gz', 'gzip'],
    ['gzip;q=nonsense', 'both.js', null],
    ['gzip;level=9', 'both.js.gz', 'gzip'],
    ['bro, gzipped, x-gzip', 'both.js', null],
    ['', 'both.js', null],
    [',,', 'both.js', null],
    [undefined, 'both.js', null],
  ])('for Accept-Encoding %j is %s', (accepted, name, coding) => {
    expect(chosen('both.js', accepted)).toEqual([name, coding, true]);
  });

  it('is another one if the archive has only one encoding', () => {
    expect(chosen('zipped.css', 'br, gzip')).toEqual(['zipped.css.gz', 'gzip', true]);
    expect(chosen('zipped.css', 'br')).toEqual(['zipped.css', null, true]);
  });

  it('is the file itself, which does not vary, if the archive has no other', () => {
    for (const accepted of ['br, gzip', '*', undefined]) {
      expect(chosen('alone.html', accepted)).toEqual(['alone.html', null, false]);
    }
    expect(chosen('both.js.br', 'br')).toEqual(['both.js.br', null, false]);
  });

  it('is never one that the caller refuses, whatever else it accepts', () => {
    const other = constantFrom('deflate', 'identity', 'zstd;q=0.2', '*', 'compress;q=1.0');
    assert(
      property(constantFrom('br', 'gzip'), other, integer({ min: 0, max: 3 }), (refused, beside, zeros) => {
        const quality = zeros === 0 ? '0' : `0.${'0'.repeat(zeros)}`;
        for (const header of [`${refused};q=${quality}, ${beside}`, `${beside},${refused}; q=${quality}`]) {
          expect(chosen('both.js', header)[1]).not.toBe(refused);
        }
      }),
    );
  });
});
