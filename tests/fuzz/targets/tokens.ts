import { forgedTokens } from '../../../packages/access/src/testing/forged-tokens.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

/** The signed content, for any base64url encoding. */
const signed = (text: string): string =>
  text
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join('.');

/** Tokens of the identity provider: none is accepted that it did not sign, or that is not for this service, now. */
export const tokens: Target = {
  name: 'tokens',
  share: 10,
  concurrency: 8,
  async open() {
    const { taken, refused, verifier } = await forgedTokens();
    const known = new Set(taken.map(signed));
    const inputs = [...taken, ...refused].map((text) => Buffer.from(text));
    return {
      async run(random) {
        const text = mutated(inputs, random, ['.', '..', 'eyJhbGciOiJub25lIn0', '=', 'e30']).toString();
        const verdict = await verifier.verify(text);
        if (!verdict.ok) return 'refused';
        if (!known.has(signed(text)))
          throw new Finding('A token was taken that was not signed for this service.', text);
        return 'accepted';
      },
    };
  },
};
