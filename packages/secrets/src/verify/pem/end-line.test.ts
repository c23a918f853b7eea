import { describe, expect, it } from 'vitest';
import { viewOf } from '../../testing/view.ts';
import { endLine, endsEncoded } from './end-line.ts';
import { UNDECIDED } from './line-number.ts';

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
