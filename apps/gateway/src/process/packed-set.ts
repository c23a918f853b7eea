/** A member knows its index in its set. */
export interface Slotted {
  /** Managed by the set; -1 outside of one. */
  slot: number;
}

/**
 * A set for members that stay for the time of a call. In a `Set`, each of them would survive a garbage collection: V8 replaces the
 * table of a `Set` once enough members were deleted, the old table refers to the new one, and a table that has become old keeps
 * all later ones, and what they contained, until a full collection.
 */
export class PackedSet<Member extends Slotted> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** The members now, in any order. */
  all(): Member[] {
    return [...this.#members];
  }

  add(member: Member): void {
    member.slot = this.#members.length;
    this.#members.push(member);
  }

  /** @returns whether it was a member. */
  delete(member: Member): boolean {
    const { slot } = member;
    if (this.#members[slot] !== member) return false;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      this.#members[slot] = last;
      last.slot = slot;
    }
    member.slot = -1;
    return true;
  }

  clear(): void {
    for (const member of this.all()) this.delete(member);
  }
}
