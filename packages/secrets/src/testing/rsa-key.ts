import { dice } from './specimen.ts';

/** A made-up RSA key as a JSON Web Key, the same in every run: only the lengths of its numbers are those of a real one. */
export function rsaKey(bits: number) {
  const roll = dice(`an RSA key of ${bits} bits`);
  const number = (bytes: number) =>
    Buffer.from(Uint8Array.from({ length: bytes }, () => roll(256))).toString('base64url');
  const [n, d] = [number(bits / 8), number(bits / 8)];
  const [p, q, dp, dq, qi] = Array.from({ length: 5 }, () => number(bits / 16));
  return { kty: 'RSA', n, e: 'AQAB', d, p, q, dp, dq, qi };
}
