import { expect, it } from 'vitest';
import { type Outcome, qualityOf } from './quality.ts';
import type { Question } from './questions.ts';

const question = (parts: Partial<Question>): Question => ({
  id: 'q',
  corpus: 'c',
  question: 'how',
  page: '/a',
  section: null,
  answerable: true,
  kind: 'howto',
  alt: [],
  ...parts,
});
const outcome = (parts: Partial<Question>, pages: readonly string[], more: Partial<Outcome> = {}): Outcome => ({
  question: question(parts),
  passages: pages.map((page) => ({ page, headings: ['Title', 'Part one'] })),
  answered: true,
  score: 1,
  ...more,
});
const uncovered = (parts: Partial<Question>, more: Partial<Outcome>) =>
  outcome({ page: null, answerable: false, kind: 'near', ...parts }, ['/a'], more);

it('counts the first right page, also another that truly answers', () => {
  const outcomes = [
    outcome({}, ['/a', '/b']),
    outcome({}, ['/b', '/a']),
    outcome({ alt: ['/b'] }, ['/b']),
    outcome({}, ['/c']),
  ];
  expect(qualityOf(outcomes)).toMatchObject({ right1: 0.5, right5: 0.75, mrr: 0.625 });
});

it('counts a section, its own or one above, on the right page, however it is spelled', () => {
  const outcomes = [
    outcome({ section: 'Part `one`' }, ['/a']),
    outcome({ section: 'title' }, ['/a']),
    outcome({ section: 'Part two' }, ['/a']),
    outcome({ section: 'Part one', alt: ['/b'] }, ['/b']),
  ];
  expect(qualityOf(outcomes).section5).toBe(0.5);
});

it('takes the decision of an engine that has one', () => {
  const outcomes = [
    outcome({}, []),
    outcome({}, [], { answered: false }),
    uncovered({ kind: 'far' }, {}),
    uncovered({}, { answered: false }),
  ];
  expect(qualityOf(outcomes)).toMatchObject({ acceptedAnswerable: 0.5, falseAnswered: 0.5, offTopicAnswered: 1 });
});

it('judges an engine without a decision by the score that accepts four fifths of the answerable questions', () => {
  const scored = [5, 4, 3, 2, 1].map((score) => outcome({}, [], { answered: null, score }));
  const outcomes = [
    ...scored,
    uncovered({}, { answered: null, score: 2 }),
    uncovered({}, { answered: null, score: 1.5 }),
  ];
  expect(qualityOf(outcomes)).toMatchObject({ acceptedAnswerable: 0.8, falseAnswered: 0.5 });
});
