import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCatalogue } from '../scan/catalogue.ts';
import { Engine } from '../scan/engine.ts';
import { dice, draw } from '../testing/specimen.ts';
import { decodeText } from '../text/charset.ts';
import { type Encoding, Origins, Reader } from './reader.ts';

const catalogue = compileCatalogue(true);
const token = `ghp_${draw('A-Za-z0-9', 36, dice('reader'))}`;

function opened(encoding: Encoding = 'utf8') {
  const engine = new Engine(catalogue, false);
  const reader = new Reader(catalogue, engine, encoding);
  const { view } = engine;
  return { engine, reader, view, decoded: () => Buffer.from(view.bytes.subarray(0, view.end)).toString('latin1') };
}

/** Reads all there is, quickly where it can. */
function readAll(reader: Reader, final: boolean, skims: boolean): void {
  do {
    if (skims) reader.skim();
  } while (reader.read(final));
}

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((place, index) => text.slice(place, sorted[index] ?? text.length));
}

const PIECES = [
  'a',
  'word ',
  'é',
  '€',
  '🔑',
  '\\n',
  '\\"',
  '\\\\\\"',
  '\\u0041',
  '\\u00',
  '\\',
  '\ud83d',
  '\udd11',
  token,
];
const texts = array(constantFrom(...PIECES, 'x'.repeat(700)), { maxLength: 14 }).map((pieces) => pieces.join(''));
const places = array(integer({ min: 0, max: 3000 }), { maxLength: 12 });

describe('a reader of text in pieces', () => {
  it('decodes what a whole text is decoded to, for any division', () => {
    assert(
      property(texts, places, boolean(), (text, at, skims) => {
        const { reader, decoded } = opened();
        for (const piece of cut(text, at)) {
          reader.add(piece);
          readAll(reader, false, skims);
        }
        readAll(reader, true, skims);
        expect(decoded()).toBe(Buffer.from(decodeText(Buffer.from(text))).toString('latin1'));
        expect(reader.position).toBe(text.length);
      }),
      { numRuns: 300 },
    );
  });

  it('knows for each decoded byte where it began in the text, for any division', () => {
    assert(
      property(texts, places, boolean(), (text, at, skims) => {
        const { reader, view } = opened();
        for (const piece of cut(text, at)) {
          reader.add(piece);
          readAll(reader, false, skims);
        }
        readAll(reader, true, skims);
        expect(reader.origin(view.end)).toBe(text.length);
        let previous = 0;
        for (let byte = 0; byte < view.end; byte++) {
          const origin = reader.origin(byte);
          expect(origin).toBeGreaterThanOrEqual(previous);
          const letter = String.fromCharCode(view.bytes[byte] as number);
          expect(/[b-z_]/.test(letter) ? text[origin] : letter).toBe(letter);
          previous = origin;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has one state of the automaton, and the same keywords, for any division', () => {
    const follow = (pieces: readonly string[], skims: boolean) => {
      const { engine, reader } = opened();
      for (const piece of pieces) {
        reader.add(piece);
        readAll(reader, false, skims);
      }
      readAll(reader, true, skims);
      engine.view.final = true;
      engine.settle();
      return { state: reader.state, matches: engine.matches.map(({ rule, from, to }) => [rule.id, from, to]) };
    };
    assert(
      property(texts, places, (text, at) => {
        const whole = follow([text], false);
        expect(follow(cut(text, at), true)).toEqual(whole);
        expect(follow(text.split(''), false)).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it('reads a character of Latin-1 as one byte', () => {
    const { reader, decoded } = opened('latin1');
    reader.add('é\xff\\u0041\x80');
    readAll(reader, true, false);
    expect(decoded()).toBe('é\xffA\x80');
    expect([0, 1, 2, 3, 4].map((at) => reader.origin(at))).toEqual([0, 1, 2, 8, 9]);
  });
});

describe('half of what arrives', () => {
  it.each([
    ['\\', 'n', '\n'],
    ['\\u00', '41', 'A'],
    ['\\\\', '\\"', '\x02'],
    ['\ud83d', '\udd11', Buffer.from('🔑').toString('latin1')],
  ])('waits for the rest: %j', (first, second, whole) => {
    const { reader, decoded } = opened();
    reader.add(`a${first}`);
    readAll(reader, false, true);
    expect([decoded(), reader.position]).toEqual(['a', 1]);
    reader.add(`${second}b`);
    readAll(reader, false, true);
    expect([decoded(), reader.position]).toEqual([`a${whole}b`, 2 + first.length + second.length]);
  });

  it.each([
    ['\\', '\\'],
    ['\\u00', '\\u00'],
    ['\ud83d', Buffer.from('\ufffd').toString('latin1')],
  ])('is read as it is at the end: %j', (half, read) => {
    const { reader, decoded } = opened();
    reader.add(`a${half}`);
    readAll(reader, true, true);
    expect([decoded(), reader.position]).toEqual([`a${read}`, 1 + half.length]);
  });
});

describe('a piece that is looked at before it is read', () => {
  const preview = (reader: Reader, text: string): number => {
    const bytes = Buffer.from(`"${text}"`);
    return reader.preview(bytes, 1, bytes.length - 1);
  };

  it('is accepted as if it had been read', () => {
    const { reader, decoded } = opened();
    const read = opened().reader;
    for (const text of ['Nothing ', 'in these ', 'wor']) {
      const state = preview(reader, text);
      expect(state).toBeGreaterThanOrEqual(0);
      reader.accept(text.length, state);
      read.add(text);
      readAll(read, false, true);
      expect([reader.state, reader.position, reader.origin(4)]).toEqual([read.state, read.position, read.origin(4)]);
    }
    reader.add('ds');
    readAll(reader, true, true);
    expect(decoded()).toBe('Nothing in these words');
  });

  it.each(['é', '\\n', '\n', '\x7f', 'ghp_', 'my password'])(
    'has no state where it needs reading, and changes nothing: %j',
    (text) => {
      const { reader, decoded } = opened();
      reader.add('x ');
      readAll(reader, false, true);
      const { state, position } = reader;
      expect(preview(reader, text)).toBe(-1);
      expect([reader.state, reader.position, decoded()]).toEqual([state, position, 'x ']);
    },
  );

  it.each(['\\', '\ud83d', '\\u00'])('has none behind half of %j', (half) => {
    const { reader } = opened();
    reader.add(half);
    readAll(reader, false, true);
    expect(preview(reader, 'words')).toBe(-1);
  });
});

it('the first decoded bytes can be forgotten, and the others keep their origins', () => {
  const text = `é${'word '.repeat(40)}\\n🔑${'more '.repeat(40)}`;
  for (const bytes of [1, 2, 100, 203, 250]) {
    const { reader, view } = opened();
    reader.add(text);
    readAll(reader, false, true);
    const kept = Array.from({ length: view.end - bytes }, (_, at) => [view.at(bytes + at), reader.origin(bytes + at)]);
    reader.drop(bytes);
    expect(Array.from({ length: view.end }, (_, at) => [view.at(at), reader.origin(at)])).toEqual(kept);
    reader.add('end');
    readAll(reader, true, true);
    expect(reader.origin(view.end - 3)).toBe(text.length);
  }
});

describe('origins', () => {
  it('are the indices themselves while every byte is a character', () => {
    const origins = new Origins();
    for (let index = 1; index <= 5000; index++) origins.set(index, index);
    expect([origins.of(0), origins.of(4999)]).toEqual([0, 4999]);
    origins.drop(4000, 5000);
    expect([origins.of(0), origins.of(1000)]).toEqual([4000, 5000]);
  });

  it('equal those of a plain list, for any sequence of operations', () => {
    const step = record({
      units: array(integer({ min: 0, max: 6 }), { maxLength: 40 }),
      counted: integer({ min: 0, max: 1500 }),
      dropped: integer({ min: 0, max: 60 }),
    });
    assert(
      property(array(step, { maxLength: 8 }), (steps) => {
        const origins = new Origins();
        const list = [0];
        for (const { units, counted, dropped } of steps) {
          for (const unit of units) {
            list.push((list.at(-1) ?? 0) + unit);
            origins.set(list.length - 1, list.at(-1) ?? 0);
          }
          const from = list.length - 1;
          for (let more = 0; more < counted; more++) list.push((list.at(-1) ?? 0) + 1);
          origins.count(from, list.length - 1);
          const bytes = Math.min(dropped, list.length - 1);
          origins.drop(bytes, list.length - 1);
          list.splice(0, bytes);
          expect(list.map((_, index) => origins.of(index))).toEqual(list);
        }
      }),
    );
  });
});
