import { KINDS, type Kind, type Scanner } from '@gateway/secrets';
import { FORMS, type Form, isGated, type Sample } from './samples.ts';

const MASK = /\[secret:[a-z-]+\]/;

/** The replaced characters of a text, from the text and its masked form. */
export function coveredOf(original: string, masked: string): boolean[] {
  const covered = Array.from({ length: original.length }, () => false);
  const kept = masked.split(MASK);
  let at = 0;
  kept.forEach((piece, index) => {
    if (index === 0) {
      at = piece.length;
      return;
    }
    const last = index === kept.length - 1;
    const next = last ? original.length - piece.length : original.indexOf(piece, at);
    const to = next < at ? original.length : next;
    covered.fill(true, at, to);
    at = to + piece.length;
  });
  return covered;
}

export interface Outcome {
  readonly sample: Sample;
  readonly found: boolean;
  readonly whole: boolean;
  readonly findings: number;
}

/** Scans one sample in one form. A hit overlaps the labelled span; a sample is fully masked if 95 % of it is. */
export function tryOne(scanner: Scanner, sample: Sample, form: Form): Outcome {
  const report = scanner.scanBody(Buffer.from(form.write(sample.text)), form.contentType);
  if (sample.span === undefined || sample.span === null)
    return { sample, found: false, whole: false, findings: report.findings.length };
  const covered = coveredOf(sample.text, form.read(Buffer.from(report.mask()).toString('utf8')));
  const [from, to] = sample.span;
  const hits = covered.slice(from, to).filter(Boolean).length;
  return { sample, found: hits > 0, whole: hits >= 0.95 * (to - from), findings: report.findings.length };
}

export interface Recall {
  readonly recall: { readonly [kind in Kind]: number };
  readonly wholeMasked: number;
  readonly negativesFlagged: number;
  readonly formsWorst: { readonly form: string; readonly kind: Kind; readonly recall: number; readonly below: number };
  readonly outcomes: readonly Outcome[];
}

export function measureRecall(scanner: Scanner, samples: readonly Sample[]): Recall {
  const [plain, ...others] = FORMS.map((form) => ({
    form,
    tried: samples.map((sample) => tryOne(scanner, sample, form)),
  }));
  const outcomes = plain?.tried ?? [];
  const recall = Object.fromEntries(KINDS.map((kind) => [kind, recallOf(outcomes, kind)])) as Recall['recall'];
  const worst = others
    .flatMap(({ form, tried }) => KINDS.map((kind) => ({ form: form.name, kind, recall: recallOf(tried, kind) })))
    .map((each) => ({ ...each, below: recall[each.kind] - each.recall }))
    .sort((a, b) => b.below - a.below)[0];
  const found = outcomes.filter((outcome) => outcome.found && isGated(outcome.sample));
  const negatives = outcomes.filter(({ sample }) => sample.label === 0);
  return {
    recall,
    wholeMasked: share(found, ({ whole }) => whole),
    negativesFlagged: share(negatives, ({ findings }) => findings > 0),
    formsWorst: worst ?? { form: 'plain', kind: 'infra-key', recall: 1, below: 0 },
    outcomes,
  };
}

function recallOf(outcomes: readonly Outcome[], kind: Kind): number {
  return share(
    outcomes.filter(({ sample }) => sample.kind === kind && isGated(sample)),
    ({ found }) => found,
  );
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? 1 : all.filter(holds).length / all.length;
}
