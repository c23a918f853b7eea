import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EIGHTH, EIGHTH_NOT_COVERED, ELEVENTH, NINTH, TENTH } from './testing/eighth.ts';
import { buildManualCorpus, type ManualCorpus } from './testing/manual-corpus.ts';
import { FIFTH } from './testing/more-questions.ts';
import { FIRST, FOURTH, type Question, SECOND, THIRD } from './testing/questions.ts';
import { SEVENTH, SEVENTH_NOT_COVERED } from './testing/seventh.ts';
import { SIXTH_DEVELOPERS, SIXTH_ERRORS, SIXTH_NOT_COVERED } from './testing/sixth-developers.ts';
import { SIXTH_AUDITORS, SIXTH_OPERATORS } from './testing/sixth-operators.ts';
import { FOURTEENTH, THIRTEENTH, TWELFTH } from './testing/twelfth.ts';
import { NOT_COVERED } from './testing/uncovered-questions.ts';

let manual: ManualCorpus;
beforeAll(async () => {
  manual = await buildManualCorpus();
});
afterAll(() => manual.remove());

const LEAST_FIRST = 0.85;
const LEAST_AMONG_THREE = 0.95;

/** The questions whose page is not answered among the best few. */
function missed(questions: readonly Question[], most: number): readonly string[] {
  const isFound = ([question, ...pages]: Question): boolean =>
    manual.engine.ask(question, 1).answered &&
    manual
      .pagesFor(question)
      .slice(0, most)
      .some((page) => pages.includes(page));
  return questions.filter((question) => !isFound(question)).map(([question]) => question);
}

describe.each([
  ['first', FIRST],
  ['second', SECOND],
  ['third', THIRD],
  ['fourth', FOURTH],
  ['fifth', FIFTH],
  ['sixth', [...SIXTH_OPERATORS, ...SIXTH_AUDITORS, ...SIXTH_DEVELOPERS, ...SIXTH_ERRORS]],
  ['seventh', SEVENTH],
  ['eighth', EIGHTH],
  ['ninth', NINTH],
  ['tenth', TENTH],
  ['eleventh', ELEVENTH],
  ['twelfth', TWELFTH],
  ['thirteenth', THIRTEENTH],
  ['fourteenth', FOURTEENTH],
] as const)('of the %s questions', (_, questions) => {
  const share = (most: number): number => 1 - missed(questions, most).length / questions.length;

  it('85 of 100 find their page first', () => {
    expect(share(1), `not first: ${missed(questions, 1).join('; ')}`).toBeGreaterThanOrEqual(LEAST_FIRST);
  });
  it('95 of 100 find their page among three', () => {
    expect(share(3), `not among three: ${missed(questions, 3).join('; ')}`).toBeGreaterThanOrEqual(LEAST_AMONG_THREE);
  });
});

it.each([...NOT_COVERED, ...SIXTH_NOT_COVERED, ...SEVENTH_NOT_COVERED, ...EIGHTH_NOT_COVERED])(
  'a question that the manual does not cover leads to the page of what is missing, or to none: %s',
  (question) => {
    const page = manual.engine.ask(question, 1).answered ? manual.pagesFor(question)[0] : undefined;
    expect([undefined, 'concepts/not-offered']).toContain(page);
  },
);

it.each([
  'do you have a semantic cache',
  'is there a mobile app',
  'can it retry failed calls automatically',
  'does it support SAML',
  'load balancing between two engines',
  'slack notifications',
  'can I use MySQL instead of PostgreSQL',
  'content moderation guardrails',
  'fine-tune a model',
])('a question about what is missing finds the page that says so: %s', (question) => {
  expect(manual.pagesFor(question).slice(0, 3)).toContain('concepts/not-offered');
});
