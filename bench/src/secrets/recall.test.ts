import { createScanner, type Scanner } from '@gateway/secrets';
import { describe, expect, it } from 'vitest';
import { measureRecall, tryOne } from './recall.ts';
import { FORMS, type Sample } from './samples.ts';

const SECRET = 'QfWmZ0aXk3';
const sample = (more: Partial<Sample> = {}): Sample => {
  const text = more.text ?? `the secret is ${SECRET} today`;
  const at = text.indexOf(SECRET);
  return {
    id: 'one',
    kind: 'access-token',
    text,
    label: 1,
    tier: 'core',
    rule: null,
    source: 'own',
    span: at < 0 ? null : [at, at + SECRET.length],
    ...more,
  };
};
/** A scanner that masks exactly these words. */
function masking(...words: readonly string[]): Scanner {
  const scanner = createScanner({ key: Buffer.from('x') });
  return {
    ...scanner,
    scanBody: (body) => {
      const text = Buffer.from(body).toString();
      const found = words.filter((word) => text.includes(word));
      const masked = found.reduce((left, word) => left.replaceAll(word, '[secret:access-token]'), text);
      return { findings: found.map(() => ({}) as never), mask: () => Buffer.from(masked) };
    },
  };
}
const [plain] = FORMS;
const tried = (scanner: Scanner, one: Sample) => {
  if (plain === undefined) throw new Error('there is no form');
  const { found, whole, findings } = tryOne(scanner, one, plain);
  return { found, whole, findings };
};

describe('a sample', () => {
  it('is found and masked whole where its secret is', () => {
    expect(tried(masking(SECRET), sample())).toEqual({ found: true, whole: true, findings: 1 });
  });

  it('is found, but not whole, where a part of its secret stays', () => {
    expect(tried(masking(SECRET.slice(0, 6)), sample())).toEqual({ found: true, whole: false, findings: 1 });
  });

  it('is missed where only something else is masked', () => {
    expect(tried(masking('today'), sample())).toEqual({ found: false, whole: false, findings: 1 });
    expect(tried(masking(), sample())).toEqual({ found: false, whole: false, findings: 0 });
  });

  it('is whole where more than its secret is masked, or all of the text', () => {
    const one = sample();
    expect(tried(masking(`is ${SECRET}`), one)).toMatchObject({ whole: true });
    expect(tried(masking(one.text), one)).toMatchObject({ whole: true });
  });

  it('is found among several masks, each at its place', () => {
    const one = sample({ text: `${SECRET.slice(0, 4)} then ${SECRET} then today` });
    expect(tried(masking('today', 'then'), { ...one, span: [10, 20] })).toMatchObject({ found: false });
    expect(tried(masking(SECRET, 'today'), { ...one, span: [10, 20] })).toMatchObject({ found: true, whole: true });
  });

  it('without a secret counts its findings alone', () => {
    expect(tried(masking('today'), sample({ label: 0, span: null }))).toEqual({
      found: false,
      whole: false,
      findings: 1,
    });
  });
});

describe('the recall', () => {
  const token = sample();
  const missed = sample({ id: 'two', text: 'another ZZZ here', span: [8, 11] });
  const negative = sample({ id: 'three', kind: 'negative', label: 0, text: 'only words', span: null });

  it('is the share of the secrets of a kind that are found', () => {
    const { recall, outcomes } = measureRecall(masking(SECRET), [token, token, token, missed, negative]);
    expect(recall['access-token']).toBe(0.75);
    expect(outcomes).toHaveLength(5);
  });

  it('counts neither weak secrets nor passwords, which are only reported', () => {
    const weak = { ...missed, tier: 'hard' } as const;
    const password = { ...missed, kind: 'password' } as const;
    expect(measureRecall(masking(SECRET), [token, weak, password]).recall['access-token']).toBe(1);
  });

  it('has the share of found ones that are masked whole', () => {
    const partial = sample({ id: 'four', text: `a ${SECRET}${SECRET}`, span: [2, 22] });
    const scanner = masking(`the secret is ${SECRET}`, SECRET.slice(0, 9));
    expect(measureRecall(scanner, [token, partial]).wholeMasked).toBe(0.5);
  });

  it('has the share of texts without a secret in which something is found', () => {
    const flagged = { ...negative, id: 'five', text: 'words today' };
    expect(measureRecall(masking('today'), [negative, flagged, negative, negative]).negativesFlagged).toBe(0.25);
  });

  it('names the form and the kind that lose most, and how much', () => {
    const slash = sample({ text: `see a/b/${SECRET}`, span: [4, 18] });
    // Finds it except where each solidus is escaped.
    const { formsWorst } = measureRecall(masking(`a/b/${SECRET}`), [slash]);
    expect(formsWorst).toEqual({ form: 'solidus', kind: 'access-token', recall: 0, below: 1 });
  });

  it('is the same in every form for the scanner of the product', () => {
    const value = ['glpat', 'k3Jd9sLq0ZxWv7TbRf2m'].join('-');
    const text = `token: "${value}" & <more>/`;
    const real = sample({ text, span: [text.indexOf(value), text.indexOf(value) + value.length] });
    const { formsWorst, wholeMasked } = measureRecall(createScanner({ key: Buffer.from('x') }), [real]);
    expect([formsWorst.below, wholeMasked]).toEqual([0, 1]);
  });
});
