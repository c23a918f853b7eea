import { generateKeyPairSync } from 'node:crypto';
import { dice } from './specimen.ts';

export const HEADER = '-----BEGIN PRIVATE KEY-----';
/** What every RSA key of 1024 bits in PKCS #8 begins with, and bytes that are made up. */
const PKCS8 = Buffer.from('30820276020100300d06092a864886f70d0101010500048202603082025c02010002818100', 'hex');
const roll = dice('a private key');
const der = Buffer.concat([PKCS8, Uint8Array.from({ length: 600 }, () => roll(256))]);

/** A key of a given number of bytes, which determines the length of its last line. */
export function pemOf(bytes: number): string {
  const lines =
    der
      .subarray(0, bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [HEADER, ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}

export const pem = pemOf(634);
export const body = pem.split('\n').slice(1, -2).join('\n');
export const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });

export const SHOWN: readonly (readonly [string, (line: number) => string])[] = [
  ['a listing', (line) => `${String(line).padStart(6)}\t`],
  ['a listing with arrows', (line) => `${String(line).padStart(6)}\xe2\x86\x92`],
  ['a listing with arrows that were written as escapes', (line) => `${String(line).padStart(6)}\xff`],
  ['a table', (line) => `${line} | `],
  ['a table with a drawn line', (line) => `${line} \xe2\x94\x82 `],
  ['a table with a wide margin', (line) => `${String(line).padStart(4)}   \xe2\x94\x82 `],
  ['lists', (line) => `${line}: `],
  ['lists of an agent', (line) => `L${line}: `],
  ['numbers in brackets', (line) => `[${line}] `],
  ['a list in Markdown', (line) => `${line}. `],
  ['matches of a search', (line) => `.ssh/id_rsa:${line}:`],
  ['matches of a search, and their neighbours', (line) => `.ssh/id_rsa-${line}-`],
  ['matches of a search in one file, and their neighbours', (line) => (line === 1 ? '1:' : `${line}-`)],
  ['comments', () => '// '],
];

/** The prefix of the lines carries no information. */
export const MARKED: readonly (readonly [string, (line: number) => string])[] = [
  ['a log with times', (line) => `2026-01-02T10:11:${String(line).padStart(2, '0')}.1234567Z `],
  ['the log of a container', () => 'api-1      | '],
  [
    'lines with their authors',
    (line) => `a1b2c3d4 (Ann Person 2026-01-02 10:11:12 +0100 ${String(line).padStart(2)}) `,
  ],
  ['matches of a search that are not numbered', () => '.ssh/id_rsa:'],
  ['two columns of numbers', (line) => `${String(line).padStart(4)} ${String(line).padStart(4)}  `],
];

export const numbered = (mark: (line: number) => string, key = pem) =>
  key
    .trim()
    .split('\n')
    .map((line, index) => `${mark(index + 1)}${line}`)
    .join('\n');
