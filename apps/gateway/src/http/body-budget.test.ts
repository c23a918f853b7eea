import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { BodyBudget } from './body.ts';

it('refuses and reports what does not fit, and accepts it once others have released memory', () => {
  const full = vi.fn();
  const budget = new BodyBudget(100, full);
  const [one, other] = [budget.open(), budget.open()];
  expect([one.take(60), other.take(41), other.take(40), one.take(1)]).toEqual([true, false, true, false]);
  expect(full).toHaveBeenCalledTimes(2);
  one.release();
  one.release();
  expect([budget.used, other.take(60), budget.used]).toEqual([40, true, 100]);
});

it('keeps a part within its own limit, so that the rest remains for others', () => {
  const full = vi.fn();
  const budget = new BodyBudget(100, full);
  const part = budget.part(30);
  const [inPart, outside] = [part.open(), budget.open()];
  expect([inPart.take(31), inPart.take(30), inPart.take(1), outside.take(70)]).toEqual([false, true, false, true]);
  inPart.release();
  expect([part.used, budget.used]).toEqual([0, 70]);
  expect([outside.take(30), inPart.take(1)]).toEqual([true, false]);
});

it('gives one subject two bodies of any size, and further ones only within a quarter of the whole', () => {
  const budget = new BodyBudget(100, () => {});
  const of = (subject: string) => {
    const share = budget.open();
    return { share, isAllowed: share.claim(subject) };
  };
  const [one, two, three] = [of('hog').share, of('hog').share, of('hog').share];
  expect([one.take(30), three.take(1), two.take(20), three.take(1)]).toEqual([true, false, true, false]);
  expect([of('other').share.take(10), of('other').share.take(30)]).toEqual([true, true]);
  one.release();
  two.release();
  expect([three.take(25), three.take(1)]).toEqual([true, false]);
  const early = budget.open();
  early.take(1);
  expect([early.claim('hog'), of('hog').isAllowed]).toEqual([true, true]);
  const late = budget.open();
  late.take(1);
  expect(late.claim('hog')).toBe(false);
});

// limits-5
it('never exceeds its limit, and has no bytes taken once all have released', () => {
  const operation = fc.record({ part: fc.boolean(), of: fc.nat(4), bytes: fc.nat(50), release: fc.boolean() });
  fc.assert(
    fc.property(fc.array(operation), (operations) => {
      const budget = new BodyBudget(100, () => {});
      const part = budget.part(40);
      const shares = [budget, part].map((from) => Array.from({ length: 5 }, () => from.open()));
      for (const { part: inPart, of, bytes, release } of operations) {
        const share = shares[Number(inPart)]?.[of];
        if (release) share?.release();
        else share?.take(bytes);
        expect(budget.used).toBeLessThanOrEqual(100);
        expect(part.used).toBeLessThanOrEqual(40);
        expect(part.used).toBeLessThanOrEqual(budget.used);
      }
      for (const share of shares.flat()) share.release();
      expect([budget.used, part.used]).toEqual([0, 0]);
    }),
  );
});
