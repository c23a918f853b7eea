import { sentenceOf, statusOf } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS_PER_SUBJECT, Places } from './places.ts';

const take = (places: Places, subject: string) => {
  const place = places.take(subject);
  if ('refused' in place) throw new Error(sentenceOf(place.refused));
  return place.giveBack;
};

describe('the places for commands', () => {
  it('are four for a subject', () => {
    const places = new Places(16);
    const given = Array.from({ length: COMMANDS_PER_SUBJECT }, () => take(places, 'ada'));
    const fifth = places.take('ada');
    expect('refused' in fifth && [statusOf(fifth.refused), sentenceOf(fifth.refused)]).toEqual([
      429,
      'You already run 4 agent commands at once. Try again when one has ended.',
    ]);
    take(places, 'grace');
    given[0]?.();
    take(places, 'ada');
  });
  it('are bounded for all together', () => {
    const places = new Places(3);
    const given = ['a', 'b', 'c'].map((subject) => take(places, subject));
    const fourth = places.take('d');
    expect('refused' in fourth && [statusOf(fourth.refused), sentenceOf(fourth.refused)]).toEqual([
      429,
      'This gateway already runs 3 agent commands at once. Try again when one has ended.',
    ]);
    given[1]?.();
    take(places, 'd');
  });
  it('are given back once, however often it is said', () => {
    const places = new Places(2);
    const giveBack = take(places, 'a');
    take(places, 'a');
    giveBack();
    giveBack();
    expect(places.total).toBe(1);
  });
  it('never exceed either bound and are all free in the end', () => {
    const subject = fc.constantFrom('a', 'b', 'c', '__proto__');
    fc.assert(
      fc.property(fc.nat(10), fc.array(fc.tuple(subject, fc.nat(20)), { maxLength: 60 }), (most, moves) => {
        const places = new Places(most);
        const held: { subject: string; giveBack: () => void }[] = [];
        for (const [subject, index] of moves) {
          const place = places.take(subject);
          if ('giveBack' in place) held.push({ subject, ...place });
          else held.splice(index % (held.length + 1), 1)[0]?.giveBack();
          expect(places.total).toBe(held.length);
          expect(held.length).toBeLessThanOrEqual(most);
          expect(held.filter((one) => one.subject === subject).length).toBeLessThanOrEqual(COMMANDS_PER_SUBJECT);
        }
        for (const { giveBack } of held) giveBack();
        expect(places.total).toBe(0);
      }),
      { verbose: true },
    );
  });
});
