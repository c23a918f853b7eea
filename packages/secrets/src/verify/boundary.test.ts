import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { viewOf } from '../testing/view.ts';
import { afterHyphens, beginsApart, beginsHere, checkEncoded } from './boundary.ts';
import { EVIDENCE, FOUND, MORE, NO, type Verdict, type View } from './view.ts';

/** Whether a token may begin after this text. */
const after = (text: string): boolean => beginsHere(viewOf(`${text}T`), text.length);

describe('a token begins', () => {
  it.each([
    '',
    ' ',
    '"',
    '=',
    '-',
    '/',
    '.',
    '\n',
    '\x01',
    '%20',
    '%3D',
    '%2f',
    'a=%3A',
    '\x1b[93m',
    '\x1b[1;31m',
    '\xff',
  ])('after %j', (text) => {
    expect(after(text)).toBe(true);
  });

  it.each(['a', 'Z', '0', '_', 'word', '%2', '2F', '%zz0', '[93m', 'm', '\x1b[9a3m'])('but not after %j', (text) => {
    expect(after(text)).toBe(false);
  });
});

describe('a token that may contain hyphens begins', () => {
  const apart = (text: string): boolean => beginsApart(viewOf(`${text}T`), text.length);

  it.each(['', ' ', '-', '--', '\n-', ' --', '<!--', '----', '"-', '%20--'])('after %j', (text) => {
    expect(apart(text)).toBe(true);
  });

  it.each(['a', '_', 'a-', 'word--', '0---', '_-', '-----', ' -----'])('but not after %j', (text) => {
    expect(apart(text)).toBe(false);
  });
});

it.each([
  ['x', 0],
  ['-x', 1],
  ['--> ', 2],
  ['-----', 4],
])('the hyphens after a token are skipped: %j', (text, after) => {
  expect(afterHyphens(viewOf(`T${text}`), 1)).toBe(1 + after);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Finds a decoded text that begins with `secret:` and at least four letters more. */
function check(inner: View): Verdict {
  const text = inner.text(0, inner.end);
  if (!text.startsWith('secret:'.slice(0, inner.end))) return NO;
  if (inner.end < 11) return inner.final ? NO : MORE;
  return inner.found(0, inner.end);
}

const asked = (text: string, from = 0, valueFrom = from, final = true) => {
  const view = viewOf(text, final);
  const verdict = checkEncoded(view, from, valueFrom, check);
  return { verdict, view, value: verdict === FOUND ? text.slice(view.from, view.to) : '' };
};

describe('a run of base64', () => {
  it.each([
    ['secret:abcdef', ''],
    ['secret:abcd', ' and'],
    ['secret:abcde', '"'],
    ['secret:abcdef\n', '\nnext: line'],
  ])('is found whole by what it decodes to: %j before %j', (text, after) => {
    for (const run of [base64(text), base64(text).replaceAll('=', ''), Buffer.from(text).toString('base64url')])
      expect(asked(`data: ${run}${after}`, 6).value).toBe(run);
  });

  it.each(['secret', 'secret:abc', 'public:abcdef', ''])('is none where it decodes to %j', (text) => {
    expect(asked(base64(text)).verdict).toBe(NO);
  });

  it('begins where the caller says, so that what announces it stays', () => {
    const run = base64('secret:abcdef');
    expect(asked(run, 0, 8).value).toBe(run.slice(8));
  });

  it('is decided by its beginning where it is long, and the rest belongs to it', () => {
    const run = base64(`secret:${draw('A-Za-z0-9', 300, dice('encoded'))}`);
    const { verdict, view } = asked(run, 0, 0, false);
    expect([verdict, view.from, view.to, view.tail?.type]).toEqual([FOUND, 0, EVIDENCE, 'run']);
  });

  it('waits for its end, and only while it may decode to one', () => {
    const run = base64('secret:abcdef');
    for (let cut = 0; cut <= run.length; cut++) {
      const { verdict, view } = asked(run.slice(0, cut), 0, 3, false);
      expect([cut, verdict, view.hold]).toEqual([cut, MORE, 3]);
    }
    expect(asked(base64('public').slice(0, 4), 0, 0, false).verdict).toBe(NO);
    expect(asked(`${run} `, 0, 0, false).value).toBe(run);
  });
});
