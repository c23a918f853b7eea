import { array, assert, boolean, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PackedSet, type Slotted } from './packed-set.ts';

const aMember = (name: number): Slotted & { readonly name: number } => ({ name, slot: -1 });

describe('a packed set', () => {
  it('has the members of a Set after the same additions and deletions', () => {
    const steps = array(tuple(integer({ min: 0, max: 7 }), boolean()), { maxLength: 60 });
    assert(
      property(steps, (given) => {
        const members = Array.from({ length: 8 }, (_, name) => aMember(name));
        const [packed, plain] = [new PackedSet<(typeof members)[number]>(), new Set<number>()];
        for (const [name, adds] of given) {
          const member = members[name] as (typeof members)[number];
          if (adds && !plain.has(name)) packed.add(member);
          const wasDeleted = !adds && packed.delete(member);
          expect(wasDeleted).toBe(!adds && plain.delete(name));
          if (adds) plain.add(name);
          expect(packed.size).toBe(plain.size);
        }
        expect(new Set(packed.all().map(({ name }) => name))).toEqual(plain);
      }),
    );
  });

  it('deletes a member once, and takes it again', () => {
    const [one, other] = [aMember(1), aMember(2)];
    const set = new PackedSet<Slotted>();
    set.add(one);
    set.add(other);
    expect([set.delete(one), set.delete(one), set.size]).toEqual([true, false, 1]);
    set.add(one);
    expect(set.all()).toEqual([other, one]);
  });

  it('does not delete a member of another set', () => {
    const [here, there] = [new PackedSet<Slotted>(), new PackedSet<Slotted>()];
    const [one, other] = [aMember(1), aMember(2)];
    here.add(one);
    there.add(other);
    expect(here.delete(other)).toBe(false);
    expect([here.size, there.size]).toEqual([1, 1]);
  });

  it('is empty once it is cleared, and its members are in no set', () => {
    const set = new PackedSet<Slotted>();
    const members = [aMember(1), aMember(2), aMember(3)];
    for (const member of members) set.add(member);
    set.clear();
    expect([set.size, members.map(({ slot }) => slot)]).toEqual([0, [-1, -1, -1]]);
  });
});
