import type { Decision } from '@gateway/contract';

/** Entries per second for callers without a proof: the sustained rate, and the burst. */
const RATE = 20;
const BURST = 1000;
/** The newest refusals past the limit wait for their turn; older ones are counted together. */
const WAITING = 100;
/** Milliseconds between two entries that count refusals of one kind. */
const PERIOD = 10_000;
/** Addresses distinguished in such an entry. */
const ADDRESSES = 4;

/** Whether a decision is a refusal of a caller without a proof. An undecided one may be of any caller. */
export function isAnonymous({ outcome, subject, status }: Decision): boolean {
  return outcome === 'refused' && subject === null && status < 500;
}

/** Refusals of one kind that became one entry. */
interface Counted {
  count: number;
  readonly first: Decision;
  last: Decision;
  readonly addresses: Set<string>;
  oneResource: boolean;
}

/**
 * The share of the log for callers without a proof (log-13): refusals beyond it are counted, so that nothing disappears silently,
 * and the rest of the log remains for known callers.
 */
export class AnonymousRefusals {
  #tokens = BURST;
  #refilledAt: number;
  /** Within the limit, to be written next. */
  readonly #granted: Decision[] = [];
  readonly #waiting: Decision[] = [];
  readonly #counted = new Map<string, Counted>();
  #countedSince = 0;

  /** @param now milliseconds on a monotonic clock. */
  constructor(now: number) {
    this.#refilledAt = now;
  }

  get size(): number {
    return this.#granted.length + this.#waiting.length + this.#counted.size;
  }

  take(decision: Decision, now: number): void {
    this.#waiting.push(decision);
    this.#grant(now);
    if (this.#waiting.length > WAITING) this.#count(this.#waiting.shift() as Decision, now);
  }

  /** What may be written now, at most so many entries. */
  due(now: number, most: number): readonly Decision[] {
    this.#grant(now);
    const taken = this.#granted.splice(0, most);
    return this.#counted.size > 0 && now - this.#countedSince >= PERIOD ? [...taken, ...this.#entries()] : taken;
  }

  /** Milliseconds until something is due; null where nothing waits. */
  dueIn(now: number): number | null {
    this.#grant(now);
    if (this.#granted.length > 0) return 0;
    const inTurn = this.#waiting.length > 0 ? Math.max(0, (1000 * (1 - this.#tokens)) / RATE) : null;
    const counted = this.#counted.size > 0 ? Math.max(0, this.#countedSince + PERIOD - now) : null;
    return inTurn === null || counted === null ? (inTurn ?? counted) : Math.min(inTurn, counted);
  }

  /** Everything that waits, before the log is closed. */
  all(): readonly Decision[] {
    return [...this.#granted.splice(0), ...this.#waiting.splice(0), ...this.#entries()];
  }

  #grant(now: number): void {
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilledAt) * RATE) / 1000);
    this.#refilledAt = now;
    const granted = this.#waiting.splice(0, Math.floor(this.#tokens));
    this.#tokens -= granted.length;
    this.#granted.push(...granted);
  }

  #count(decision: Decision, now: number): void {
    if (this.#counted.size === 0) this.#countedSince = now;
    const { component, permission, reason, status, credential, sourceAddress, resource } = decision;
    const kind = [component, permission, reason, status, credential].join(' ');
    const counted = this.#counted.get(kind);
    if (counted === undefined) {
      const addresses = new Set(sourceAddress === null ? [] : [sourceAddress]);
      this.#counted.set(kind, { count: 1, first: decision, last: decision, addresses, oneResource: true });
      return;
    }
    counted.count += 1;
    counted.last = decision;
    counted.oneResource &&= counted.first.resource === resource;
    if (sourceAddress !== null && counted.addresses.size <= ADDRESSES) counted.addresses.add(sourceAddress);
  }

  #entries(): readonly Decision[] {
    const entries = [...this.#counted.values()].map(entryOf);
    this.#counted.clear();
    return entries;
  }
}

function entryOf({ count, first, last, addresses, oneResource }: Counted): Decision {
  if (count === 1) return last;
  const [address = null, ...others] = [...addresses].slice(0, ADDRESSES);
  const from = addresses.size > ADDRESSES ? 'many addresses' : [address, ...others].join(', ');
  return {
    ...last,
    resource: oneResource ? first.resource : 'several',
    session: null,
    requestId: null,
    sourceAddress: others.length === 0 ? address : null,
    detail: `${count} refusals of this kind from ${first.at} to ${last.at}${address === null ? '' : `, from ${from}`}`,
  };
}
