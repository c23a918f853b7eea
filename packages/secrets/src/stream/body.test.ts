import { array, assert, constantFrom, integer, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCatalogue } from '../scan/catalogue.ts';
import { runToEnd } from '../scan/response.ts';
import { dice, draw } from '../testing/specimen.ts';
import { decodeText } from '../text/charset.ts';
import { type BodyScan, createScanner, readBody } from './scanner.ts';

const catalogue = compileCatalogue(true);
const scanner = createScanner({ key: Buffer.from('bodies') });
const roll = dice('body');
const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
const password = draw('A-Za-z0-9', 24, roll);
/** A body is read in slices of so many bytes. */
const SLICE = 32 * 1024;

/** Each match with its value. */
function read(body: Uint8Array, owned = false): { readonly scan: BodyScan; readonly values: readonly string[] } {
  const scan = runToEnd(readBody(catalogue, body, owned));
  const values = scan.matches.map(
    ({ rule, from, to }) => `${rule.id} ${Buffer.from(scan.text.subarray(from, to)).toString('latin1')}`,
  );
  return { scan, values };
}

/** A text whose byte at `at` is at the end of a slice. */
function atSlice(text: string, at: number, filler: string): string {
  return filler.repeat(SLICE).slice(0, SLICE - at) + text;
}

describe('a secret at the end of a slice', () => {
  const texts = [
    ` ${token} `,
    ` "\\u0067hp_${token.slice(4)}" `,
    ` {\\"db_password\\":\\"${password}\\"} `,
    ` postgres:\\/\\/svc:${password}@db.internal\\/app `,
    ` db_password = \\\\\\"${password}\\\\\\" `,
  ];

  it.each(texts)('is found wherever the slice ends in %s', (text) => {
    const { values } = read(Buffer.from(text));
    expect(values).toHaveLength(1);
    for (let at = 0; at <= text.length; at++)
      for (const filler of ['. ', '\\n']) expect(read(Buffer.from(atSlice(text, at, filler))).values).toEqual(values);
  });

  it('is found where an escape begins in one slice and ends in a later one', () => {
    const backslashes = '\\'.repeat(15);
    for (let at = 0; at < backslashes.length; at++)
      expect(read(Buffer.from(atSlice(`${backslashes}"${token}`, at, ' '))).values).toEqual([`github-token ${token}`]);
  });
});

describe('the text of a body', () => {
  it('is the body with its escapes decoded, for any bytes', () => {
    const piece = constantFrom(
      '\\',
      '\\\\',
      '\\u0041',
      '\\u00',
      '\\n',
      '\\"',
      'x',
      'é',
      ' ',
      token,
      'y'.repeat(20),
      'z'.repeat(SLICE - 20),
    );
    assert(
      property(array(piece, { maxLength: 12 }), (pieces) => {
        const body = Buffer.from(pieces.join(' '));
        const { scan } = read(body, true);
        expect(scan.verbatim).toBe(!body.includes('\\'));
        const decoded = decodeText(body);
        expect(Buffer.compare(scan.matches.length > 0 ? scan.text : decoded, decoded)).toBe(0);
        const { values } = read(body);
        expect(read(Buffer.from(decoded)).values).toEqual(values);
      }),
      { numRuns: 60 },
    );
  });

  it('is owned by the caller if it shares the thread: a later scan does not change it', () => {
    const { scan } = read(Buffer.from(`\\"${token}\\"`), true);
    read(Buffer.from(`\\"${'w'.repeat(token.length)}\\" ${token}`));
    const [match] = scan.matches;
    expect(Buffer.from(scan.text.subarray(match?.from, match?.to)).toString()).toBe(token);
  });

  it('is read whole where it is longer than any before, and none of it later', () => {
    const long = Buffer.from(`${'\\n words '.repeat(60_000)}${token}`);
    expect(read(long).values).toEqual([`github-token ${token}`]);
    expect(read(Buffer.from('\\n words')).values).toEqual([]);
  });
});

describe('two bodies that are scanned in turns', () => {
  it('have the findings and masks of each alone', () => {
    const body = (seed: string): Buffer =>
      Buffer.from(
        JSON.stringify({
          text: `words "and" words\n`.repeat(2000 + dice(seed)(3000)),
          a: `token ghp_${draw('A-Za-z0-9', 36, dice(seed))}`,
          more: 'x\\y '.repeat(9000),
          b: `db_password = "${draw('A-Za-z0-9', 24, dice(seed))}"`,
        }),
      );
    const bodies = ['one', 'two', 'three'].map(body);
    const runs = bodies.map((each) => readBody(catalogue, each, true));
    const scans = new Map<number, BodyScan>();
    while (scans.size < runs.length) {
      for (const [at, run] of runs.entries()) {
        const step = run.next();
        scanner.scanText(`beside it \\"${token}\\"`);
        if (step.done === true && !scans.has(at)) scans.set(at, step.value);
      }
    }
    bodies.forEach((each, at) => {
      const alone = read(each, true).scan;
      expect(alone.matches).toHaveLength(2);
      expect(scans.get(at)?.matches).toEqual(alone.matches);
      expect(Buffer.compare(scans.get(at)?.text ?? each, alone.text)).toBe(0);
    });
  });
});

describe('a body of an odd kind', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one backslash', Buffer.from('\\')],
    ['backslashes alone, of several slices', Buffer.alloc(3 * SLICE + 1, '\\')],
    ['zero bytes', Buffer.alloc(2 * SLICE)],
    ['bytes outside ASCII', Buffer.alloc(2 * SLICE, 0xff)],
    ['half a character at the end', Buffer.from('é').subarray(0, 1)],
  ])('has no finding: %s', (_, body) => {
    expect(read(body).values).toEqual([]);
  });

  it('is found in between bytes that are no text', () => {
    assert(
      property(
        uint8Array({ maxLength: 60 }),
        uint8Array({ maxLength: 60 }),
        integer({ min: 0, max: 1 }),
        (a, b, gap) => {
          const body = Buffer.concat([a, Buffer.from(`\n${token}\n`), b, Buffer.alloc(gap * SLICE, ' ')]);
          expect(read(body).values).toContain(`github-token ${token}`);
        },
      ),
    );
  });
});
