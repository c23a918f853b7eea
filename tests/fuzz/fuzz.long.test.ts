import { describe, expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';
import { mutated, mutatedJson } from './mutate.ts';
import { MOST_GROWTH_MIB, runFuzz } from './suite.ts';
import { TARGETS } from './targets/index.ts';

// The short form of `npm run fuzz`.
it('finds no crash, no accepted invalid input and no growth, in any reader', async () => {
  const seed = Number(process.env['TEST_SEED'] ?? 20_261_125);
  const { findings, targets } = await runFuzz({ seed, cases: 10_000, minutes: 60, report: () => {} });
  expect(findings, `TEST_SEED=${seed}`).toEqual([]);
  expect(Object.keys(targets)).toEqual(TARGETS.map(({ name }) => name));
  for (const [name, { refused, grownMiB }] of Object.entries(targets)) {
    expect(refused, name).toBeGreaterThan(0);
    expect(grownMiB, name).toBeLessThan(MOST_GROWTH_MIB);
  }
  // A fuzzer whose inputs are all refused at the first byte tests nothing behind it.
  const neverAccepted = Object.entries(targets).flatMap(([name, { accepted }]) => (accepted === 0 ? [name] : []));
  expect(neverAccepted).toEqual(['wire without a key']);
});

it('runs one case again', async () => {
  const options = { seed: 7, cases: 100, minutes: 1, only: ['acts'], report: () => {} };
  const { cases, targets } = await runFuzz({ ...options, onlyCase: 42 });
  expect(cases).toBe(1);
  expect(targets['acts']).toMatchObject({ cases: 1 });
});

describe('a changed input', () => {
  const inputs = ['one input', '{"another":1}'].map((text) => Buffer.from(text));

  it('is the same for the same seed, and others for others', () => {
    const of = (seed: number) => Array.from({ length: 50 }, () => mutated(inputs, randomOf(seed)).toString('hex'));
    expect(of(3)).toEqual(of(3));
    const random = randomOf(4);
    expect(new Set(Array.from({ length: 500 }, () => mutated(inputs, random).toString('hex'))).size).toBeGreaterThan(
      400,
    );
  });

  it('does not change the inputs', () => {
    const random = randomOf(5);
    for (let times = 0; times < 500; times += 1) mutated(inputs, random, ['word']);
    expect(inputs.map(String)).toEqual(['one input', '{"another":1}']);
  });

  it('of JSON has `__proto__` as a member like others, and pollutes nothing', () => {
    const random = randomOf(6);
    const texts = Array.from({ length: 3000 }, () => JSON.stringify(mutatedJson({ a: [1, { b: 2 }] }, random)) ?? '');
    expect(texts.some((text) => text.includes('"__proto__":'))).toBe(true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
