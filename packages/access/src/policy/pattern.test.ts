import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { askEngine, type Cedar } from './engine.ts';
import { fitsPattern } from './refute.ts';

const SEED = Number(process.env.POLICY_SEED ?? 20_261_121);

/** The engine's word on `text like pattern`. */
function engineFits(text: string, pattern: readonly Cedar.PatternElem[]): boolean {
  const written = pattern
    .map((element) => (element === 'Wildcard' ? '*' : element.Literal.replaceAll('*', '\\*')))
    .join('');
  const policy = `permit(principal, action, resource) when { context.text like "${written}" };`;
  const one = { type: 'T', id: 'x' };
  const answer = askEngine((cedar) =>
    cedar.isAuthorized({
      principal: one,
      action: { type: 'Action', id: 'x' },
      resource: one,
      context: { text },
      policies: { staticPolicies: policy },
      entities: [],
    }),
  );
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  return answer.response.decision === 'allow';
}

const letters = fc.constantFrom('a', 'b', '*', '/', 'é', '𝄞');
const word = fc.array(letters, { maxLength: 5 }).map((parts) => parts.join(''));
const element: fc.Arbitrary<Cedar.PatternElem> = fc.oneof(
  fc.constant('Wildcard' as const),
  word.map((Literal) => ({ Literal })),
);

it(`a pattern matches the same texts as in the engine (seed ${SEED})`, () => {
  const property = fc.property(word, fc.array(element, { maxLength: 5 }), (text, pattern) => {
    expect([text, pattern, fitsPattern(text, pattern)]).toEqual([text, pattern, engineFits(text, pattern)]);
  });
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

it('a pattern of many wildcards is walked once', () => {
  const pattern = Array.from({ length: 200 }, (_, index) =>
    index % 2 ? { Literal: 'a' } : 'Wildcard',
  ) as Cedar.PatternElem[];
  expect(fitsPattern(`${'a'.repeat(50_000)}b`, pattern)).toBe(false);
});
