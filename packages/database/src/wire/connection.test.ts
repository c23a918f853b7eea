import { expect, it } from 'vitest';
import { createScram } from './connection.ts';

/** The example of RFC 7677, section 3, whose client sends a name. */
const NONCE = 'rOprNGfwEbeRWgbNEkqO';
const SERVER_FIRST = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';

it('proves the password, and the server proves that it has it', async () => {
  const scram = createScram('pencil', NONCE);
  expect(scram.first).toBe(`n,,n=,r=${NONCE}`);
  const proof = await scram.proof(SERVER_FIRST);
  expect(proof).toMatch(/^c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj\)hNlF\$k0,p=[\w+/]{43}=$/);
  expect(() => scram.verify('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')).toThrow('does not know the password');
});

it.each([
  ['a nonce of its own', 'r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096'],
  ['only our nonce', `r=${NONCE},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`],
  ['no salt', `r=${NONCE}more,i=4096`],
  ['no iterations', `r=${NONCE}more,s=AAAA,i=0`],
  ['nothing', ''],
])('ends where the server sends %s', async (_, first) => {
  await expect(createScram('pencil', NONCE).proof(first)).rejects.toThrow('violated the sign-in protocol');
});

it('computes no hash without an end', async () => {
  const first = `r=${NONCE}more,s=AAAA,i=4000000000`;
  await expect(createScram('pencil', NONCE).proof(first)).rejects.toThrow('4000000000 iterations');
});

it('trusts no server before an exchange', () => {
  expect(() => createScram('pencil').verify('v=')).toThrow('does not know the password');
});
