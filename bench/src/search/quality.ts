import type { Question } from './questions.ts';

/** A passage an engine found. */
export interface FoundPassage {
  /** Address of the page as the corpus gives it. */
  readonly page: string | null;
  /** Title of the page, and the headings from the outermost to the passage's own. */
  readonly headings: readonly string[];
}

export interface Outcome {
  readonly question: Question;
  /** Best first, five at most. */
  readonly passages: readonly FoundPassage[];
  /** The engine's own decision; null for one that has none and is judged by its score. */
  readonly answered: boolean | null;
  readonly score: number;
}

/** Shares from 0 to 1, except `offTopicAnswered`, a count. */
export interface Quality {
  readonly right1: number;
  readonly right5: number;
  readonly mrr: number;
  readonly section5: number;
  readonly falseAnswered: number;
  readonly acceptedAnswerable: number;
  readonly offTopicAnswered: number;
}

/** Share of the answerable questions that an engine without a decision must accept. */
const ACCEPTED = 0.8;

export function qualityOf(outcomes: readonly Outcome[]): Quality {
  const answerable = outcomes.filter(({ question }) => question.answerable);
  const uncovered = outcomes.filter(({ question }) => !question.answerable);
  const ranks = answerable.map(rankOfPage);
  const sectioned = answerable.filter(({ question }) => question.section !== null);
  const least = answerable.map(({ score }) => score).sort((one, other) => other - one);
  const threshold = least[Math.ceil(answerable.length * ACCEPTED) - 1] ?? 0;
  const accepted = ({ answered, score }: Outcome): boolean => answered ?? score >= threshold;
  return {
    right1: share(ranks, (rank) => rank === 1),
    right5: share(ranks, (rank) => rank !== null),
    mrr: ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0) / Math.max(1, ranks.length),
    section5: share(sectioned, hasSection),
    falseAnswered: share(uncovered, accepted),
    acceptedAnswerable: share(answerable, accepted),
    offTopicAnswered: uncovered.filter((outcome) => outcome.question.kind === 'far' && accepted(outcome)).length,
  };
}

function rankOfPage({ question, passages }: Outcome): number | null {
  const right = new Set([question.page, ...question.alt]);
  const at = passages.findIndex(({ page }) => page !== null && right.has(page));
  return at < 0 ? null : at + 1;
}

function hasSection({ question, passages }: Outcome): boolean {
  const section = comparable(question.section ?? '');
  return passages.some(
    ({ page, headings }) => page === question.page && headings.some((heading) => comparable(heading) === section),
  );
}

function comparable(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
