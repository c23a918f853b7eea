import { isIPv6 } from 'node:net';
import { groupsOf } from '@gateway/access';

/** Failed sign-ins of one address that cost no wait. */
const FREE_FAILURES = 10;
/** The wait after the last of them; each further failure doubles it. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** An address without a failure for this long starts again. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Addresses remembered; the one whose last failure is oldest is evicted first. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  blockedUntil: number;
  last: number;
}

/** Delays callers that guess proofs of identity, by source address (console-8). */
export class SignInThrottle {
  readonly #clock: () => number;
  readonly #known = new Map<string, Failures>();

  /** @param clock milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whole seconds an address has to wait, also with a good proof; 0 where it need not. */
  secondsToWait(address: string | null): number {
    const left = (this.#known.get(networkOf(address))?.blockedUntil ?? 0) - this.#clock();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  /** Counts a proof that was refused. One that was under way when the wait began does not prolong it. */
  failed(address: string | null): void {
    const network = networkOf(address);
    const now = this.#clock();
    const before = this.#known.get(network);
    if (before !== undefined && before.blockedUntil > now) return;
    const isFresh = before === undefined || now - Math.max(before.last, before.blockedUntil) > FORGOTTEN_AFTER_MS;
    const count = isFresh ? 1 : before.count + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES));
    this.#known.delete(network);
    this.#known.set(network, { count, last: now, blockedUntil: count < FREE_FAILURES ? 0 : now + wait });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_ADDRESSES && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** The addresses of one guesser: an IPv4 address, or the /64 network of an IPv6 address. */
function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? '';
  return groupsOf(address).slice(0, 4).join(':');
}
