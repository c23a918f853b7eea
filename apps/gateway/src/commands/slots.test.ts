import { sentenceOf, statusOf } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS_PER_SUBJECT, CommandSlots } from './execution.ts';

const take = (slots: CommandSlots, subject: string) => {
  const slot = slots.take(subject);
  if ('refused' in slot) throw new Error(sentenceOf(slot.refused));
  return slot.release;
};

describe('the slots for commands', () => {
  it('are four for a subject', () => {
    const slots = new CommandSlots(16);
    const given = Array.from({ length: COMMANDS_PER_SUBJECT }, () => take(slots, 'ada'));
    const fifth = slots.take('ada');
    expect('refused' in fifth && [statusOf(fifth.refused), sentenceOf(fifth.refused)]).toEqual([
      429,
      'You already run 4 agent commands at once. Try again when one has ended.',
    ]);
    take(slots, 'grace');
    given[0]?.();
    take(slots, 'ada');
  });
  it('are bounded for all together', () => {
    const slots = new CommandSlots(3);
    const given = ['a', 'b', 'c'].map((subject) => take(slots, subject));
    const fourth = slots.take('d');
    expect('refused' in fourth && [statusOf(fourth.refused), sentenceOf(fourth.refused)]).toEqual([
      429,
      'This gateway already runs 3 agent commands at once. Try again when one has ended.',
    ]);
    given[1]?.();
    take(slots, 'd');
  });
  it('are released once, even after repeated calls', () => {
    const slots = new CommandSlots(2);
    const release = take(slots, 'a');
    take(slots, 'a');
    release();
    release();
    expect(slots.total).toBe(1);
  });
  it('never exceed either bound and are all free in the end', () => {
    const subject = fc.constantFrom('a', 'b', 'c', '__proto__');
    fc.assert(
      fc.property(fc.nat(10), fc.array(fc.tuple(subject, fc.nat(20)), { maxLength: 60 }), (most, moves) => {
        const slots = new CommandSlots(most);
        const held: { subject: string; release: () => void }[] = [];
        for (const [subject, index] of moves) {
          const slot = slots.take(subject);
          if ('release' in slot) held.push({ subject, ...slot });
          else held.splice(index % (held.length + 1), 1)[0]?.release();
          expect(slots.total).toBe(held.length);
          expect(held.length).toBeLessThanOrEqual(most);
          expect(held.filter((one) => one.subject === subject).length).toBeLessThanOrEqual(COMMANDS_PER_SUBJECT);
        }
        for (const { release } of held) release();
        expect(slots.total).toBe(0);
      }),
      { verbose: true },
    );
  });
});
