import { generateKeyPairSync } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { pairFault, readAuthority } from './database.ts';
import { Reading, type Variable } from './reading.ts';

const [first = '', second = ''] = rootCertificates;
const CA: Variable = { name: 'OWN_CA', form: 'a PEM file', fallback: 'none', effect: 'Is trusted.' };

describe('a certificate and its private key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));

  it.each([
    ['', key],
    [first, ''],
    [' \n', key],
    ['', ''],
  ])('are refused where one of them is empty, which TLS would take', (cert, secret) => {
    expect(pairFault(cert, secret)).toBe('empty');
  });

  it('are refused if they do not belong together or cannot be read, by a code that contains nothing of the key', () => {
    for (const [cert, secret] of [
      [first, key],
      ['no certificate', key],
      [first, 'no key'],
      [key, first],
    ] as const) {
      expect(pairFault(cert, secret)).toMatch(/^ERR_[A-Z0-9_]+$/);
    }
  });
});

it('a private key with a passphrase is refused with what to do', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = { cipher: 'aes-256-cbc', passphrase: 'secret', format: 'pem' } as const;
  for (const type of ['pkcs8', 'pkcs1'] as const)
    expect(pairFault(first, String(privateKey.export({ type, ...secret })))).toContain('has a passphrase: remove it');
});

describe('an authority to trust', () => {
  it('is every certificate of the text, without the words around them', () => {
    const reading = new Reading({});
    expect(readAuthority(reading, CA, `# one\n${first}\n# two\n${second}\n`)).toBe(`${first.trim()}\n${second.trim()}`);
    expect(reading.faults).toEqual([]);
  });

  it('is none where nothing is given', () => {
    const reading = new Reading({});
    expect([readAuthority(reading, CA, null), reading.faults]).toEqual([null, []]);
  });

  it.each(['', 'no certificate', `${first}\n${first.slice(0, 100)}`])('is a fault where it cannot be read', (text) => {
    const reading = new Reading({});
    expect(readAuthority(reading, CA, text)).toBeNull();
    expect(reading.faults).toEqual(['OWN_CA: contains no PEM certificate that can be read.']);
  });
});
