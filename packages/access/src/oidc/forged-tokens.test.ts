import { expect, it } from 'vitest';
import { forgedTokens } from '../testing/forged-tokens.ts';

it('takes what the identity provider signed for this service, and nothing else', async () => {
  const { taken, refused, verifier } = await forgedTokens();
  const verdicts = (texts: readonly string[]) =>
    Promise.all(texts.map(async (text) => (await verifier.verify(text)).ok));
  expect(await verdicts(taken)).toEqual(taken.map(() => true));
  expect(await verdicts(refused)).toEqual(refused.map(() => false));
});
