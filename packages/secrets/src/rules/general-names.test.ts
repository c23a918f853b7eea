import { describe, expect, it } from 'vitest';
import { NOTATIONS } from '../testing/notations.ts';
import { dice, draw } from '../testing/specimen.ts';
import { read } from '../testing/written.ts';

const roll = dice('general names');
const NAMES = [
  'DB_PASSWORD',
  'CLIENT_SECRET',
  'PAYMENT_API_KEY',
  'ACCESS_TOKEN',
  'JWT_SIGNING_KEY',
  'SMTP_PASS',
] as const;
/** Values as generators of passwords and keys make them, and one that a person made. */
const VALUES = [
  ['letters and digits', () => `${draw('A-Za-z0-9', 20, roll)}Q7x${draw('0-9', 1, roll)}`],
  ['many letters and digits', () => draw('A-Za-z0-9', 48, roll)],
  ['hexadecimal digits', () => `${draw('a-f', 2, roll)}${draw('0-9', 2, roll)}${draw('a-f0-9', 28, roll)}`],
  ['few hexadecimal digits', () => `${draw('a-f', 2, roll)}${draw('0-9', 2, roll)}${draw('a-f0-9', 16, roll)}`],
  ['base64', () => `${draw('A-Za-z0-9', 2, roll)}${draw('A-Za-z0-9+/', 41, roll)}=`],
] as const;
/** In an address the padding of base64 may begin another pair, and a table says too little for what may be a hash. */
const NOT_IN: Readonly<Record<string, readonly string[]>> = {
  base64: ['a parameter of an address', 'a table of Markdown'],
  'hexadecimal digits': ['a table of Markdown'],
  'few hexadecimal digits': ['a table of Markdown'],
};

describe.each(NAMES)('a generated value under the name %s', (name) => {
  it.each(NOTATIONS)('is masked whole, and nothing else, in %s', (title, notation) => {
    for (const [kind, make] of VALUES) {
      if (NOT_IN[kind]?.includes(title)) continue;
      const value = make();
      const text = notation(name).replace('§', value);
      const { secrets, masked } = read(text);
      expect([text, secrets.map(([, found]) => found)]).toEqual([text, [value]]);
      expect(masked.replace(/\[secret:[a-z-]+\]/, value)).toBe(text);
    }
  });
});

/** What stands under such names in every repository, and is no secret. */
const WORDS = [
  'password',
  'changeme',
  'null',
  'true',
  'test',
  'postgres',
  'your-secret-here',
  'xxxxxxxxxxxxxxxxxxxxxxxx',
  '${VALUE_FROM_VAULT}',
  '$(cat /run/secrets/value)',
  '{{ vault.read("x") }}',
  '<value>',
  '/run/secrets/value',
  'https://vault.acme.io/v1/secret/data/shop',
  'arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop',
  'vault:secret/data/shop#password',
  'process.env.VALUE',
  'getSecretFromTheEnvironment',
  '1234567890',
  '2026-01-02T10:11:12Z',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
] as const;

describe.each(WORDS)('%s under the name of a secret', (word) => {
  it('is left in every notation', () => {
    // In the query of an address a password needs no form: there it is one of a connection.
    const notations = NOTATIONS.filter(([title]) => title !== 'a parameter of an address');
    for (const name of NAMES)
      for (const [, notation] of notations) {
        const text = notation(name).replace('§', word);
        expect(read(text)).toEqual({ text, secrets: [], masked: text });
      }
  });
});

/** Names that contain the word of a secret and are about something else. */
describe.each([
  'TOKEN_COUNT',
  'PASSWORD_POLICY',
  'SECRET_NAME',
  'API_KEY_ID',
  'PUBLIC_KEY',
  'TOKEN_HASH',
  'KEY_FINGERPRINT',
])('a generated value under the name %s', (name) => {
  it('is left in every notation', () => {
    for (const [, notation] of NOTATIONS) {
      const text = notation(name).replace('§', draw('A-Za-z0-9', 32, roll));
      expect(read(text)).toEqual({ text, secrets: [], masked: text });
    }
  });
});
