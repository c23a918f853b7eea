import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { issueLicense, type LicenseClaims, verifyLicense } from '@gateway/access';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const CLAIMS: LicenseClaims = {
  licensee: 'Acme',
  deployment: 'test',
  seats: 10,
  capabilities: ['inference', 'agent-execution'],
  iat: 1_767_225_600,
  exp: 1_798_761_600,
  graceDays: 14,
};
const pemOf = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
  key.export({ type, format: 'pem' } as never).toString();

/** A license with another header or other claims and the original signature. */
const rewritten = (text: string, at: 0 | 1, part: object): string =>
  text
    .split('.')
    .with(at, Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

/** Licenses: only one that the vendor signed is accepted. */
export const licenses: Target = {
  name: 'licenses',
  share: 8,
  concurrency: 8,
  async open() {
    const [vendor, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const publicKey = pemOf(vendor.publicKey, 'spki');
    const sign = (change: object, by = vendor): Promise<string> =>
      issueLicense({ ...CLAIMS, ...change }, pemOf(by.privateKey, 'pkcs8'));
    const own = await Promise.all([sign({}), sign({ seats: null }), sign({ exp: 1 })]);
    const [first] = own;
    const foreign = [
      await sign({}, other),
      rewritten(first, 0, { alg: 'none' }),
      rewritten(first, 0, { alg: 'HS256' }),
      rewritten(first, 0, { alg: 'EdDSA', crit: ['x'], x: 1 }),
      rewritten(first, 1, { ...CLAIMS, seats: null }),
    ];
    const inputs = [...own, ...foreign].map((text) => Buffer.from(text));
    // The last base64url character may have unused bits: the same bytes in another encoding.
    const bytesOf = (text: string): string =>
      text
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join('.');
    const known = new Set(own.map(bytesOf));
    return {
      async run(random) {
        const text = mutated(inputs, random, ['.', 'eyJhbGciOiJub25lIn0', '-', '_', '=']).toString();
        const verdict = await verifyLicense(text, publicKey);
        if (!verdict.ok) {
          if (text.length > 8 && verdict.fault.sentence.includes(text))
            throw new Finding('The fault repeats it.', text);
          return 'refused';
        }
        if (!known.has(bytesOf(text))) throw new Finding('A license was taken that the vendor did not sign.', text);
        return 'accepted';
      },
    };
  },
};
