import { assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { viewOf } from '../testing/view.ts';
import {
  afterLineNumber,
  checkPem,
  endLine,
  endsEncoded,
  markBefore,
  matchMarkedHeader,
  matchMarkedLine,
  UNDECIDED,
} from './pem.ts';
import { NO } from './view.ts';

/** What of a text belongs to an END line that begins in its first bytes. */
function ended(text: string, within = text.length): string {
  return text.slice(0, endLine(viewOf(text), 0, Math.min(within, text.length)));
}

describe('the END line of a key', () => {
  it.each([
    '-----END PRIVATE KEY-----',
    '-----END OPENSSH PRIVATE KEY-----',
    '-----END PGP PRIVATE KEY BLOCK-----',
    '-----END OpenVPN Static key V1-----',
    '---- END SSH2 ENCRYPTED PRIVATE KEY ----',
  ])('goes to its last dash: %s', (line) => {
    expect(ended(`${line} and words`)).toBe(line);
    expect(ended(`\n  ${line}\n`)).toBe(`\n  ${line}`);
    expect(ended(`${line}-----BEGIN CERTIFICATE-----`)).toBe(line);
  });

  it('ends with its label where the dashes are cut off', () => {
    expect(ended('-----END PRIVATE KEY, and words')).toBe('-----END PRIVATE KEY');
    expect(ended('-----END PRIVATE KEY--')).toBe('-----END PRIVATE KEY');
    expect(ended('---- END SSH2 KEY, and words')).toBe('---- END SSH2 KEY');
  });

  it('is found behind other dashes: of a list, of a removed line', () => {
    expect(ended('\n- -----END PRIVATE KEY-----')).toBe('\n- -----END PRIVATE KEY-----');
    expect(ended('\n------END PRIVATE KEY-----')).toBe('\n------END PRIVATE KEY-----');
  });

  it.each(['', '-----BEGIN PRIVATE KEY-----', '-- END --', '----END KEY----', 'END PRIVATE KEY', '-----end key-----'])(
    'is not in %j',
    (text) => {
      expect(ended(text)).toBe('');
    },
  );

  it('is only looked for in the gap after the last line', () => {
    expect(ended('\n\n-----END PRIVATE KEY-----', 2)).toBe('');
  });

  it('is waited for from its first dash on, and decided the same with every cut', () => {
    const text = '\n-----END PRIVATE KEY----- and words';
    const whole = text.indexOf(' and');
    for (let cut = 2; cut < text.length; cut++) {
      const view = viewOf(text.slice(0, cut), false);
      expect([cut, endLine(view, 0, Math.min(cut, 6))]).toEqual([cut, cut <= whole ? UNDECIDED : whole]);
    }
  });
});

describe('an END line in base64', () => {
  const end = '-----END PRIVATE KEY-----\n';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each([0, 1, 2])('is recognized at an offset of %i bytes, encoded once and twice', (offset) => {
    const once = base64('k'.repeat(30 + offset) + end);
    for (const text of [once, once.replaceAll('=', '')]) {
      const view = viewOf(text);
      expect(endsEncoded(view, view.end)).toBe(true);
    }
    for (const before of [0, 1, 2]) {
      const view = viewOf(base64('x'.repeat(before) + once));
      expect(endsEncoded(view, view.end)).toBe(true);
    }
  });

  it('is not in what only contains one farther up, or none', () => {
    for (const text of [base64(end + 'k'.repeat(90)), base64('k'.repeat(90)), base64('-----BEGIN PRIVATE KEY-----')]) {
      const view = viewOf(text);
      expect(endsEncoded(view, view.end)).toBe(false);
    }
  });
});

const LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';

/** The text after the number, or null where nothing but the line is there. */
function lineAfter(text: string): string | null {
  const at = afterLineNumber(viewOf(text), 0);
  return at === 0 ? null : text.slice(at);
}

describe('the number of a line', () => {
  it.each([
    ['12\t', 'cat -n, which pads numbers in the margin'],
    ['12 ', 'nl with a blank'],
    ['12: ', 'lists'],
    ['12:', 'grep -n'],
    ['12-', 'grep -n, of a neighbour'],
    ['12 | ', 'tables'],
    ['12. ', 'Markdown'],
    ['12) ', 'lists in parentheses'],
    ['[12] ', 'brackets'],
    ['L12: ', 'agents'],
    ['12\xe2\x86\x92', 'an arrow'],
    ['123456\t', 'long files'],
    ['keys/id_rsa:12:', 'grep -rn'],
    ['keys/id_rsa-12-', 'grep -rn, of a neighbour'],
    ['a-b/my-key-2.pem-12-', 'a path with hyphens and digits'],
    ['~/.ssh/id+rsa@host:7:', 'a path with other marks'],
  ])('is read past: %j (%s)', (mark) => {
    expect(lineAfter(mark + LINE)).toBe(LINE);
  });

  it.each([
    ['', 'nothing before the line'],
    ['1234567\t', 'more digits than a file has lines'],
    ['a line: ', 'words'],
    ['keys/id_rsa:', 'a path without a number'],
    ['keys/id_rsa:12-', 'two marks that differ'],
    ['keys/id_rsa::', 'no digits between the marks'],
    [`${'p/'.repeat(40)}:12:`, 'a path that is too long'],
  ])('is not in %j (%s)', (mark) => {
    expect(lineAfter(mark + LINE)).toBeNull();
  });

  it('is no digit that the line itself begins with', () => {
    expect(lineAfter(`12${LINE}`)).toBeNull();
    expect(lineAfter(`L12${LINE}`)).toBeNull();
  });

  it('is decided as soon as its end is known, and never otherwise than in the whole text', () => {
    const mark = tuple(
      constantFrom('', 'L', '[', 'id_rsa:', '.ssh/id-1:', 'id_rsa-'),
      integer({ min: 0, max: 9_999_999 }),
      constantFrom('\t', ': ', ':', '-', ' | ', '] ', '', ' \xe2\x94\x82 '),
    ).map((parts) => parts.join(''));
    assert(
      property(mark, (before) => {
        const text = before + LINE;
        const whole = afterLineNumber(viewOf(text), 0);
        for (let cut = 0; cut < text.length; cut++) {
          const early = afterLineNumber(viewOf(text.slice(0, cut), false), 0);
          expect([UNDECIDED, whole], text.slice(0, cut)).toContain(early);
        }
      }),
    );
  });
});

const roll = dice('marked line');
const line = (width: number): string => draw('A-Za-z0-9+/', width, roll);
const first = line(64);
const second = line(64);

/** What of the text after the first line belongs to the key, up to the end of its next line; null for nothing. */
function continued(after: string, width = 64): string | null {
  const text = first.slice(0, width) + after;
  const to = matchMarkedLine(viewOf(text), width);
  return to === 0 ? null : text.slice(width, to);
}

describe('the next line of a key whose lines have prefixes', () => {
  it.each([
    ['a time', '2026-01-02T10:11:12.123Z '],
    ['a container', 'api-1      | '],
    ['an author', 'a1b2c3d4 (Ann Person 2026-01-02 10:11:12 +0100 17) '],
    ['a path', '.ssh/id_rsa:'],
    ['nothing', ''],
  ])('is found by its width: %s', (_, mark) => {
    expect(continued(`\n${mark}${second}\nand words`)).toBe(`\n${mark}${second}`);
    expect(continued(`\r\n${mark}${second}\r\n`)).toBe(`\r\n${mark}${second}`);
  });

  it('may follow the rest of a line: a closing quote, a border', () => {
    expect(continued(`" |\n| "${second}" |`)).toBe(`" |\n| "${second}`);
  });

  it.each([
    ['on the same line', ` ${second}`],
    ['another width', `\napi | ${second}x`],
    ['a shorter one', `\napi | ${second.slice(0, 63)} and words`],
    ['a long prefix', `\n${'prefix '.repeat(12)}${second}`],
    ['empty lines before it', `\n\n\napi | ${second}`],
    ['a long rest', ` ${'rest '.repeat(8)}\napi | ${second}`],
    ['words', '\napi | started and listening'],
    ['the end of the text', ''],
  ])('is none: %s', (_, after) => {
    expect(continued(after)).toBeNull();
  });

  it.each([31, 32, 64, 76, 95])('has the width of the one before, of those in use: %i', (width) => {
    const text = `${line(width)}\napi | ${line(width)}\n`;
    expect(matchMarkedLine(viewOf(text), width)).toBe(width < 32 ? 0 : text.length - 1);
  });

  it('is none where the line before is as wide as no line of a key', () => {
    const text = `${line(100)}\napi | ${line(100)}\n`;
    expect(matchMarkedLine(viewOf(text), 100)).toBe(0);
  });

  it.each(['-----END PRIVATE KEY-----', '---- END SSH2 ENCRYPTED PRIVATE KEY ----'])(
    'is the END line after a shorter last line: %s',
    (end) => {
      expect(continued(`\napi | ${second.slice(0, 20)}\napi | ${end}`)).toBe(`\napi | ${second.slice(0, 20)}\napi | `);
      expect(continued(`\napi | ${end}`)).toBe('\napi | ');
      expect(continued(`\n${'api | and words\n'.repeat(20)}${end}`)).toBeNull();
    },
  );

  it('is the same for every cut of the text, once it is decided', () => {
    for (const after of [`\napi | ${second}\nand`, `\napi | ${second.slice(0, 9)}=\napi | -----END X`, '\nand words']) {
      const text = `${first}${after}${' and more words'.repeat(30)}`;
      const whole = matchMarkedLine(viewOf(text), 64);
      for (let cut = 64; cut < text.length; cut++) {
        const early = matchMarkedLine(viewOf(text.slice(0, cut), false), 64);
        expect([UNDECIDED, whole], `${cut}`).toContain(early);
      }
      expect(matchMarkedLine(viewOf(text, false), 64)).toBe(whole);
    }
  });
});

describe('a header of a key behind a prefix', () => {
  /** What follows the colon. */
  const valueOf = (text: string): string | null => {
    const colon = matchMarkedHeader(viewOf(text), 0);
    return colon === 0 ? null : text.slice(colon);
  };

  it.each(['Proc-Type', 'DEK-Info', 'Version', 'Comment', 'Hash', 'Charset', 'MessageID'])('is read: %s', (name) => {
    for (const mark of ['', 'api | ', '2026-01-02T10:11:12Z '])
      expect(valueOf(`\n${mark}${name}: value`)).toBe(': value');
  });

  it.each([
    ['on the same line', 'Version: 1'],
    ['a word that ends like one', '\napi | SomeVersion: 1'],
    ['another name', '\napi | Subject: 1'],
    ['without a colon', '\napi | Version 1'],
    ['on the line after the next', '\napi | started\nVersion: 1'],
    ['far behind', `\n${'prefix '.repeat(12)}Version: 1`],
  ])('is none: %s', (_, text) => {
    expect(valueOf(text)).toBeNull();
  });

  it('is waited for while the text may still become one', () => {
    const text = '\napi | DEK-Info: x';
    const colon = text.indexOf(': x');
    for (let cut = 1; cut < text.length; cut++)
      expect([cut, matchMarkedHeader(viewOf(text.slice(0, cut), false), 0)]).toEqual([
        cut,
        cut <= colon ? UNDECIDED : colon,
      ]);
  });
});

it('the prefix of a line is counted from its beginning, within a bound', () => {
  const text = 'first\napi | here';
  expect(markBefore(viewOf(text), text.indexOf('here'))).toBe('api | '.length);
  expect(markBefore(viewOf('here'), 0)).toBe(0);
  expect(markBefore(viewOf('x'.repeat(500)), 500)).toBeLessThan(100);
});

it('a key with such a header is found wherever the text is cut', () => {
  const header = '-----BEGIN RSA PRIVATE KEY-----';
  const text = `${header}\njob ----- Proc-Type: 4,ENCRYPTED\n\n${first}\n`;
  for (let cut = header.length; cut <= text.length; cut++) {
    const view = viewOf(text.slice(0, cut), cut === text.length);
    const verdict = checkPem(view, 0, '-----BEGIN '.length);
    expect([cut, verdict === NO]).toEqual([cut, false]);
  }
});
