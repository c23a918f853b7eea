import { describe, expect, it } from 'vitest';
import { body, MARKED, numbered, pem, publicKey, SHOWN } from '../../testing/private-key.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { swallowPem } from './pem.ts';
import { checkWrappedPem } from './wrapped-pem.ts';

describe('checkWrappedPem', () => {
  /** Letters of a last line without a following one, after the longest mark: of an encoded END line. */
  const LONGEST_END = 76 + 64;
  const once = Buffer.from(pem).toString('base64');
  const twice = Buffer.from(once).toString('base64');

  it('finds a private key in base64, once and twice', () => {
    expect(ask(checkWrappedPem, 'ls0tls1crudjti', `key: ${once}`).verdict).toBe(FOUND);
    expect(ask(checkWrappedPem, 'tfmwdexttmunsvrkv'.slice(0, 6), `key: ${twice}`).verdict).toBe(FOUND);
  });

  /** The whole match in a text that was wrapped to lines. */
  const lines = (text: string, width: number, mark: (line: number) => string): string => {
    const wrapped = (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
    const { verdict, view } = ask(checkWrappedPem, wrapped.slice(0, 6), `${numbered(mark, wrapped)}\nand words`);
    if (verdict !== FOUND) return '';
    const { from } = view;
    expect(swallowPem(view, view.to)).toBe(true);
    return view.text(from, view.to);
  };

  it.each([60, 64, 76, 80])(
    'includes all of its lines, each of %i letters, except the end of the END line',
    (width) => {
      for (const text of [once, twice]) {
        for (const [, mark] of [['nothing', () => ''] as const, ...SHOWN, ...MARKED]) {
          const all = numbered(mark, (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n')).slice(
            mark(1).length,
          );
          const taken = lines(text, width, mark);
          expect(all.startsWith(taken)).toBe(true);
          expect(all.length - taken.length).toBeLessThan(LONGEST_END);
        }
      }
    },
  );

  it.each([104, 120, 128, 200, 400])('takes all of its lines, each of %i letters, and nothing of the next', (width) => {
    for (const text of [once, twice]) {
      const all = (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
      for (const joined of [all, all.replaceAll('\n', '\r\n'), all.replaceAll('\n', '\n    ')]) {
        const { verdict, view } = ask(checkWrappedPem, text.slice(0, 6), `${joined}\nserviceAccountPrivateKey: x`);
        expect(verdict).toBe(FOUND);
        expect(swallowPem(view, view.to)).toBe(true);
        expect(joined.startsWith(view.text(0, view.to))).toBe(true);
        expect(joined.length - view.to).toBeLessThan(LONGEST_END);
      }
    }
  });

  it('takes nothing of a member that follows a key on one line', () => {
    for (const text of [once, twice]) {
      const { view } = ask(checkWrappedPem, text.slice(0, 6), `${text}\n  serviceAccountPrivateKeyIdentifier: x`);
      expect(swallowPem(view, view.to)).toBe(true);
      expect(view.to).toBe(text.length);
    }
  });

  it('is nothing of a certificate, of a public key, and of a beginning alone', () => {
    const certificate = Buffer.from(`-----BEGIN CERTIFICATE-----\n${body}`).toString('base64');
    const open = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
    for (const text of [certificate, open, once.slice(0, 60), `${once.slice(0, 76)}\nand words follow`]) {
      expect(ask(checkWrappedPem, 'ls0tls1crudjti', text).verdict).toBe(NO);
    }
  });

  it('is decided for every cut as in the whole text, and no letter leaves before', () => {
    const whole = `${once.slice(0, 76)}\n${once.slice(76, 152)}\n`;
    const short = `${once.slice(0, 56)}, and words follow it\n`;
    for (const [text, verdict] of [
      [whole, FOUND],
      [short, NO],
    ] as const) {
      expect(ask(checkWrappedPem, 'ls0tls1crudjti', text).verdict).toBe(verdict);
      for (let cut = 14; cut < text.length; cut++) {
        const early = ask(checkWrappedPem, 'ls0tls1crudjti', text.slice(0, cut), false);
        expect([MORE, verdict], String(cut)).toContain(early.verdict);
        expect(early.verdict === MORE ? early.view.hold : 0).toBe(0);
      }
    }
  });
});
