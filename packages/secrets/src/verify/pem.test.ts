import { describe, expect, it } from 'vitest';
import { body, HEADER, MARKED, numbered, pem, pemOf, publicKey, SHOWN } from '../testing/private-key.ts';
import { ask, viewOf } from '../testing/view.ts';
import { checkPem, checkPutty, checkSsh2, checkWrappedPem, headerStart, swallowPem } from './pem.ts';
import { FOUND, MORE, NO } from './view.ts';

/** The whole of what `checkPem` and `swallowPem` take. */
function taken(text: string): string {
  const { verdict, view } = ask(checkPem, '-----begin ', text);
  if (verdict !== FOUND) return '';
  const { from } = view;
  swallowPem(view, view.to);
  return text.slice(from, view.to);
}

describe('checkPem', () => {
  it.each([
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'DSA PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('finds a %s as a whole', (label) => {
    const text = `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
    expect(taken(`a ${text} b`)).toBe(text);
  });

  it.each([
    ['spaces', pem.trim().replaceAll('\n', ' ')],
    ['indentation', pem.trim().replaceAll('\n', '\n    ')],
    ['literals joined in source', pem.trim().replaceAll('\n', '"\n+ "')],
    ['line ends of Windows', pem.trim().replaceAll('\n', '\r\n')],
    ['nothing at all', pem.trim().replaceAll('\n', '')],
  ])('finds its lines joined by %s', (_, text) => {
    expect(taken(`x ${text} y`)).toBe(text);
  });

  it.each(SHOWN)('finds all of its lines in %s', (_, mark) => {
    const text = numbered(mark);
    const from = mark(1).length;
    expect(taken(`${text} b`)).toBe(text.slice(from));
    expect(taken(`${text.replaceAll('\n', '\r\n')} b`)).toBe(text.slice(from).replaceAll('\n', '\r\n'));
  });

  it.each(Array.from({ length: 48 }, (_, more) => 586 + more))(
    'finds the last line of a key of %i bytes, of any length',
    (bytes) => {
      const key = pemOf(bytes);
      const indented = key.trim().replaceAll('\n', '\n    ');
      expect(taken(`x ${indented} y`)).toBe(indented);
      for (const [, mark] of [...SHOWN, ...MARKED]) {
        const text = numbered(mark, key);
        expect(taken(`${text} b`)).toBe(text.slice(mark(1).length));
      }
    },
  );

  it.each(MARKED)('finds all of its lines in %s, and nothing of the next', (_, mark) => {
    const text = numbered(mark);
    const after = `\n${mark(18)}and words follow, with a digest 0123456789abcdef0123456789abcdef01234567`;
    expect(taken(`${text}${after}`)).toBe(text.slice(mark(1).length));
    expect(taken(`${text.replaceAll('\n', '\r\n')} b`)).toBe(text.slice(mark(1).length).replaceAll('\n', '\r\n'));
  });

  it.each(Array.from({ length: 16 }, (_, more) => 586 + 3 * more))(
    'finds the last line of a PGP key of %i bytes, before its checksum',
    (bytes) => {
      const checked = pemOf(bytes).replace('\n-----END', '\n=aB3d\n-----END').replaceAll('KEY-----', 'KEY BLOCK-----');
      const key = checked.replaceAll(' PRIVATE', ' PGP PRIVATE').trim();
      expect(taken(`a ${key} b`)).toBe(key);
      const text = numbered((line) => `${line} | `, key);
      expect(taken(`${text} b`)).toBe(text.slice(4));
    },
  );

  it.each([
    ['a comment', '# '],
    ['a quotation', '> '],
    ['a difference', '+'],
    ['source code', '  "'],
  ])('finds an encrypted key in %s', (_, mark) => {
    const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n';
    const key = pem.trim().replace(`${HEADER}\n`, `${HEADER}\n${headers}`).replaceAll('\n', `\n${mark}`);
    expect(taken(`x\n${mark}${key}\ny`)).toBe(key);
  });

  const HEADED = [
    ['of GnuPG', 'PGP PRIVATE KEY BLOCK', ''],
    ['of older GnuPG', 'PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2.0.22 (GNU/Linux)\n'],
    ['with a fingerprint', 'PGP PRIVATE KEY BLOCK', `Comment: Fingerprint: ${'0123456789ABCDEF'.repeat(2)}01234567\n`],
    [
      'of old PEM',
      'RSA PRIVATE KEY',
      `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${'0123456789ABCDEF'.repeat(2)}\n`,
    ],
  ] as const;
  const LOGGED = [
    ...SHOWN,
    ...MARKED,
    ['the journal of a machine', () => 'Jan 02 10:11:12 build-host-07 deploy[48213]: '],
    ['the log of a pod', () => 'payments-api-7d9f8b6c5d-x2x4z payments | '],
    ['the log of a workflow', () => 'deploy\tImport the key\t2026-01-02T10:11:12.1234567Z '],
    ['a remark', () => '# '],
    ['the comment of a block', () => ' * '],
  ] as const;

  it.each(
    LOGGED.flatMap(([where, mark]) =>
      HEADED.map(([what, label, headers]) => [what, where, label, headers, mark] as const),
    ),
  )('finds all of a key %s in %s', (_, __, label, headers, mark) => {
    for (const bytes of [586, 612, 634]) {
      const lines = pemOf(bytes).split('\n').slice(1, -2);
      if (label.startsWith('PGP')) lines.push('=aB3d');
      const key = `-----BEGIN ${label}-----\n${headers}\n${lines.join('\n')}\n-----END ${label}-----`;
      const text = numbered(mark, key);
      expect(taken(`${text}\n${mark(40)}and words`)).toBe(text.slice(mark(1).length));
      const windows = text.replaceAll('\n', '\r\n');
      expect(taken(`${windows}\r\n${mark(40)}and words`)).toBe(windows.slice(mark(1).length));
    }
  });

  it('finds an encrypted key in a listing, whose empty line is numbered too', () => {
    const lines = [
      'RSA PRIVATE KEY-----',
      'Proc-Type: 4,ENCRYPTED',
      'DEK-Info: DES-EDE3-CBC,0123456789ABCDEF',
      '',
      body,
    ];
    const text = `-----BEGIN ${lines.join('\n')}\n-----END RSA PRIVATE KEY-----`
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
      .join('\n');
    expect(taken(`${text} b`)).toBe(text.slice(7));
  });

  it('ends a key that was cut off before the numbered line after it', () => {
    const key = `     1\t${HEADER}\n     2\t${body.slice(0, 64)}`;
    expect(taken(`${key}\n     3\tand words follow it`)).toBe(key.slice(7));
  });

  it.each([
    ['of old PEM', 'RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,0123456789ABCDEF\n\n'],
    [
      'of GnuPG',
      'PGP PRIVATE KEY BLOCK',
      'Version: GnuPG/MacGPG2 v2.0.17 (Darwin)\nComment: GPGTools - https://gpgtools.org\n\n',
    ],
    [
      'of Kleopatra',
      'PGP PRIVATE KEY BLOCK',
      'Comment: User-ID:\tJane Doe <jane@corp.com>\nComment: Created:\t2026-01-12 10:12\nComment: Type:\t255-bit EdDSA (secret key available)\n' +
        'Comment: Fingerprint:\t0123456789ABCDEF0123456789ABCDEF01234567\nComment: Usage:\tSigning, Encryption, Certifying User-IDs\n\n',
    ],
  ])('finds a key behind the headers %s', (_, label, headers) => {
    const text = `-----BEGIN ${label}-----\n${headers}${body}\n-----END ${label}-----`;
    expect(taken(`a ${text} b`)).toBe(text);
    expect(taken(`a ${text.replaceAll('\n', '\r\n')} b`)).toBe(text.replaceAll('\n', '\r\n'));
  });

  it('reads headers within a bound', () => {
    const { verdict } = ask(checkPem, '-----begin ', `${HEADER}\n${'Comment: a b c\n'.repeat(1000)}${body}`);
    expect(verdict).toBe(NO);
  });

  it('finds a key that was cut off', () => {
    const text = `${HEADER}\n${body.slice(0, 64)}`;
    expect(taken(text)).toBe(text);
  });

  it.each([
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['a certificate', `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`],
    ['code that quotes the header', `if (text.startsWith("${HEADER}")) return parsePrivateKeyFromText(text);`],
    ['a header and its end', `${HEADER}\n-----END PRIVATE KEY-----`],
    ['a placeholder', `${HEADER}\n...\n-----END PRIVATE KEY-----`],
    ['one letter', `${HEADER}\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`],
    ['words', `${HEADER}\nyourPrivateKeyGoesHereOnSeveralLines\n`],
    ['the middle of a word', `x${HEADER}\n${body}`],
  ])('is nothing in %s', (_, text) => {
    expect(taken(text)).toBe('');
  });

  it('waits for the body, and delays the header', () => {
    const { verdict, view } = ask(checkPem, '-----begin ', `a ${HEADER}\n${body.slice(0, 9)}`, false);
    expect([verdict, view.hold]).toEqual([MORE, 2]);
  });
});

describe('headerStart', () => {
  it.each([
    ['x -----', 2, 2],
    ['-----END X----------', 15, 15],
    ['----------------', 11, 16],
    ['LS0tLS1', 0, 0],
  ])('of %j at %i is %i', (text, at, start) => {
    expect(headerStart(viewOf(text), at)).toBe(start);
  });
});

describe('swallowPem', () => {
  it('waits at the end of the text, and goes no farther than what is certain', () => {
    const text = `${body.slice(0, 70)}\n`;
    const view = viewOf(text, false);
    expect(swallowPem(view, 0)).toBe(false);
    expect(view.to).toBe(64);
  });

  it.each([...SHOWN, ...MARKED])('never goes past a key that has arrived in part in %s', (_, mark) => {
    const text = `${numbered(mark, pemOf(600))}\n17 | and words`;
    const from = text.indexOf('\n');
    const whole = viewOf(text);
    expect(swallowPem(whole, from)).toBe(true);
    const cuts = Array.from({ length: text.length - from }, (_, more) => from + more);
    const wrong = cuts.filter((cut) => {
      const view = viewOf(text.slice(0, cut), false);
      const ended = swallowPem(view, from);
      return ended ? view.to !== whole.to : view.to > Math.min(cut, whole.to);
    });
    expect(wrong).toEqual([]);
  });

  it('is linear on rows of dashes', () => {
    const view = viewOf('-'.repeat(1_000_000));
    expect(swallowPem(view, 0)).toBe(true);
    expect(view.to).toBe(0);
  });
});

describe('checkPutty', () => {
  it('finds the private lines after their count', () => {
    expect(ask(checkPutty, 'private-lines:', `Private-Lines: 14\n${body}`).verdict).toBe(FOUND);
    expect(ask(checkPutty, 'private-lines:', 'Private-Lines: 14\nand that is all of it').verdict).toBe(NO);
  });

  it.each(['Private-MAC', 'Private-Hash'])('includes the last of them, of any length, before %s', (member) => {
    for (let bytes = 586; bytes < 634; bytes++) {
      const lines = pemOf(bytes).split('\n').slice(1, -2).join('\n');
      const { verdict, view } = ask(checkPutty, 'private-lines:', `Private-Lines: 13\n${lines}\n${member}: 0123abcd`);
      expect(verdict).toBe(FOUND);
      expect(swallowPem(view, view.to)).toBe(true);
      expect(view.to).toBe(18 + lines.length);
    }
  });
});

describe('checkSsh2', () => {
  const header = '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----';
  const end = '---- END SSH2 ENCRYPTED PRIVATE KEY ----';
  const whole = (text: string): string => {
    const { verdict, view } = ask(checkSsh2, header, text);
    if (verdict !== FOUND) return '';
    const { from } = view;
    swallowPem(view, view.to);
    return text.slice(from, view.to);
  };

  it('finds the body, with its comments, up to the end of its last line', () => {
    const secret = `\nComment: "1024-bit RSA, converted by someone@host from OpenSSH"\n${body}\n${end}`;
    expect(whole(`${header}${secret} after`)).toBe(secret);
    expect(whole(`${header}\n${body}\n${end}\n`)).toBe(`\n${body}\n${end}`);
  });

  it('is nothing where only the header is quoted', () => {
    expect(whole(`text.includes("${header}") || parse(text)`)).toBe('');
    expect(whole(`${header}\n${end}`)).toBe('');
  });
});

describe('an OpenVPN static key', () => {
  it('is found as a whole', () => {
    const lines = Array.from({ length: 16 }, (_, line) =>
      Buffer.from(body.slice(line * 16, line * 16 + 16)).toString('hex'),
    );
    const key = `-----BEGIN OpenVPN Static key V1-----\n${lines.join('\n')}\n-----END OpenVPN Static key V1-----`;
    expect(taken(`<tls-auth>\n${key}\n</tls-auth>`)).toBe(key);
    const added = key.replaceAll('\n', '\n+');
    expect(taken(`+<tls-auth>\n+${added}\n+</tls-auth>`)).toBe(added);
  });
});

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
